package secret

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Mask returns a text that may be shown and stored. It replaces each value that follows a name such
// as key, token, secret or password by [redacted], and the parts of addresses that RedactURL
// removes. It recognizes arguments (--api-key X), assignments (API_KEY=X), headers, queries, forms,
// and JSON, also JSON nested in a string. With any name, it replaces keys with a known prefix, such
// as sk-, and assigned values that have the shape of a key.
//
// Not replaced: references to variables such as $KEY, template placeholders such as {{text}}, true,
// false, null, and numbers of up to 3 digits.
func Mask(text string) string {
	if words, ok := argsIn(text); ok {
		masked, _ := maskArgs(words)
		if b, err := json.Marshal(masked); err == nil && !slices.Equal(masked, words) {
			return string(b)
		}
		return text
	}
	masked, _ := mask(text)
	return RedactURL(masked)
}

// argsIn returns the arguments of a command that is written as a JSON list; ok is false for other
// texts.
func argsIn(text string) (words []string, ok bool) {
	return words, strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &words) == nil
}

// MaskArgs is Mask for the arguments of a command. The value of a flag such as --api-key is the
// next argument.
func MaskArgs(args []string) []string {
	masked, _ := maskArgs(args)
	return masked
}

// AddFromText adds the values that Mask replaces in these texts, so that they are redacted elsewhere,
// too. Ordinary words are not added, because labels and reports contain them.
func (s *Set) AddFromText(texts ...string) {
	for _, text := range texts {
		if words, ok := argsIn(text); ok {
			s.AddFromArgs(words)
			continue
		}
		_, values := mask(text)
		s.addValues(values)
		s.AddFromURL(text)
	}
}

// AddFromArgs is AddFromText for the arguments of a command.
func (s *Set) AddFromArgs(args []string) {
	_, values := maskArgs(args)
	s.addValues(values)
	for _, arg := range args {
		s.AddFromURL(arg)
	}
}

func (s *Set) addValues(values []string) {
	for _, v := range values {
		if !isWord(v) {
			s.Add(v, unescaped(v), withoutVariables(v))
		}
	}
}

func maskArgs(args []string) (masked, values []string) {
	masked = make([]string, len(args))
	for i, arg := range args {
		if i > 0 && bareFlag.MatchString(args[i-1]) && IsSecretName(args[i-1]) && isLiteral(arg) &&
			!flagPattern.MatchString(arg) {
			masked[i], values = redactedMarker, append(values, arg)
			continue
		}
		if before, value, ok := strings.Cut(arg, "="); ok && IsSecretName(before) && isLiteral(value) &&
			!strings.ContainsAny(arg, " \t\n") {
			masked[i], values = before+"="+redactedMarker, append(values, value)
			continue
		}
		text, found := mask(arg)
		masked[i], values = RedactURL(text), append(values, found...)
	}
	return masked, values
}

var (
	// flagPattern matches an argument that is a flag, not the value of the flag before it.
	flagPattern = regexp.MustCompile(`^--?[a-z][a-z-]*(=.*)?$`)
	// bareFlag matches a flag without "=", whose value is the next argument.
	bareFlag = regexp.MustCompile(`^-[A-Za-z0-9_.-]+$`)
	// namePattern matches a possible name before a value, such as api_key.
	namePattern = regexp.MustCompile(`[A-Za-z0-9_.-]*[A-Za-z][A-Za-z0-9_.-]*`)
	// between matches the text between a name and its value, such as ": ". behindFlag matches it
	// after a flag, asField in an object such as {"name":"api_key","value":"X"}.
	between    = regexp.MustCompile(`^(?:\\*["'])?\s*(?:=>|[:=])\s*`)
	behindFlag = regexp.MustCompile(`^(?:\\*["']\s*,\s*|\\*["']\s+|\s+)`)
	asField    = regexp.MustCompile(`^\\*["']\s*,\s*\\*["'](?:value|val)\\*["']\s*:\s*`)
	// scheme matches the authentication scheme before the key in a header, such as Bearer.
	scheme              = regexp.MustCompile(`^(?i)(?:bearer|basic|token|apikey|digest)\s+`)
	quote               = regexp.MustCompile(`^\\*["']`)
	templatePlaceholder = regexp.MustCompile(`\{\{[^{}]*\}\}`)
	harmlessValue       = regexp.MustCompile(`^(?:true|false|null|none|[0-9]{1,3})$`)
	member              = regexp.MustCompile(`^\s*:`)
)

type span struct{ begin, end int }

// mask replaces the values that follow names such as api_key or password, and the values that have
// the shape of a key. It also returns the replaced values.
func mask(text string) (masked string, values []string) {
	list := valuesByShape(text)
	for done := 0; done < len(text); {
		found := namePattern.FindStringIndex(text[done:])
		if found == nil {
			break
		}
		begin, end := done+found[0], done+found[1]
		done = end
		for _, value := range valuesOf(text[begin:end], text, end) {
			if isLiteral(text[value.begin:value.end]) {
				list = append(list, value)
			}
		}
	}
	slices.SortFunc(list, func(a, b span) int { return cmp.Or(a.begin-b.begin, b.end-a.end) })
	var out strings.Builder
	at := 0
	for _, value := range list {
		if value.begin < at {
			continue
		}
		out.WriteString(text[at:value.begin])
		out.WriteString(redactedMarker)
		at = value.end
		values = append(values, plainSpelling(text[value.begin:value.end])...)
	}
	out.WriteString(text[at:])
	return out.String(), values
}

// valuesOf returns the ranges of the values that follow a name in text. It returns nil if the name
// does not suggest a secret, see IsSecretName. end is the end of the name.
func valuesOf(name, text string, end int) []span {
	if !IsSecretName(name) {
		return nil
	}
	gap := between.FindString(text[end:])
	if gap == "" && name[0] == '-' {
		gap = behindFlag.FindString(text[end:])
	}
	if gap == "" {
		gap = asField.FindString(text[end:])
	}
	if gap == "" {
		return nil
	}
	from := end + len(gap)
	rest := text[from:]
	switch q := quote.FindString(rest); {
	case rest == "", strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, redactedMarker):
		return nil
	case q != "":
		begin, end := from+len(q), quoteEnd(text, from+len(q), q)
		if name == "key" && asField.MatchString(text[end:]) {
			return nil // {"key":"lang","value":…}
		}
		return []span{{begin + len(scheme.FindString(text[begin:end])), end}}
	case rest[0] == '{' || rest[0] == '[':
		return valuesWithin(text, from)
	}
	ends := " \t\r\n\"'`"
	if name[0] != '-' {
		ends += "&,;}])|<>"
	}
	begin := from + len(scheme.FindString(rest))
	end = begin + strings.IndexAny(text[begin:]+" ", ends)
	value := strings.TrimRight(text[begin:end], `\`)
	switch {
	case strings.HasPrefix(text[begin:], redactedMarker):
		return nil
	case strings.TrimSpace(gap) == ":" && isWord(strings.TrimRight(value, ".!?")):
		return nil // a sentence such as "password: required"
	case strings.TrimSpace(gap) == "" && flagPattern.MatchString(value):
		return nil
	}
	return []span{{begin, begin + len(value)}}
}

// quoteEnd returns the end of a quoted value. q is the opening quote, which may have backslashes
// before it. The closing quote must have the same number of backslashes.
func quoteEnd(text string, from int, q string) int {
	depth := len(q) - 1
	for i := from; i < len(text); i++ {
		if text[i] != q[depth] {
			continue
		}
		run := i - from - len(strings.TrimRight(text[from:i], `\`))
		if run < depth || run%(2*depth+2) == depth {
			return i - min(run, depth)
		}
	}
	return len(text)
}

// valuesWithin returns the ranges of the string values in a JSON list or object, except ordinary
// words.
func valuesWithin(text string, from int) (list []span) {
	depth := 0
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return list
			}
		case c == '"' || c == '\\':
			q := quote.FindString(text[i:])
			if q == "" {
				continue
			}
			begin := i + len(q)
			end := quoteEnd(text, begin, q)
			i = min(end+len(q)-1, len(text)-1)
			value := text[begin:end]
			if !member.MatchString(text[i+1:]) && !isWord(value) {
				list = append(list, span{begin, end})
			}
		}
	}
	return list
}

// isLiteral reports whether a value contains text of its own, not only references to variables or
// placeholders.
func isLiteral(value string) bool {
	refers := len(EnvReferences(value)) > 0 || templatePlaceholder.MatchString(value)
	rest := strings.TrimSpace(templatePlaceholder.ReplaceAllString(withoutVariables(value), ""))
	if refers {
		return len(scheme.ReplaceAllString(rest, "")) >= MinLength
	}
	return rest != "" && rest != redactedMarker && !harmlessValue.MatchString(rest)
}

// plainSpelling returns a value as it is written and, if it differs, without its escapes.
func plainSpelling(value string) []string {
	plain := strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\/`, `/`).Replace(value)
	return slices.Compact([]string{value, plain})
}

// Patterns for the words in a name that decide whether its value is secret. A strong word counts
// anywhere in the name, a weak word only at the end.
var (
	wordsOfName = regexp.MustCompile(`[A-Z]+(?:[a-z]+)?|[a-z]+`)
	strongWord  = regexp.MustCompile(`secrets?$|passw(?:or)?ds?$|passphrase$|credentials?$`)
	weakWord    = regexp.MustCompile(
		`^(?:key|pass|pwd|pw|auth|oauth|authentication|authorization|bearer|cred|creds|sig|signature|cookie|jwt|pat)$|` +
			`token$|(?:api|access|auth|private|account|license|encryption|signing|master|service|x)key$`)
	pluralWord = regexp.MustCompile(`^(?:keys|tokens)$`)
	guard      = regexp.MustCompile(`^(?:api|access|auth|secret|private|refresh|bearer)$`)
	// publicWord matches a word that makes a following key or token harmless, as in public_key or
	// max_tokens.
	publicWord = regexp.MustCompile(
		`^(?:public|cache|sort|primary|foreign|partition|group|idempotency|routing|stop|max|min|next|eos|bos|pad|unk|per|row|object|map|dict|json)$`)
	// propertyWord matches a last word that names a property of a secret, as in key_path.
	propertyWord = regexp.MustCompile(
		`^(?:env|var|variable|file|path|dir|name|names|id|ids|type|at|in|length|len|size|policy|manager|arn|url|uri|count|limit|limits|ttl|mode|` +
			`hint|required|version|ref|field|header|prompt|rules|strength|expiry|expires|method|provider|store)$`)
	encodingWord = regexp.MustCompile(`^(?:value|val|text|string|literal|plain|base|hex|b)$`)
)

// IsSecretName reports whether a value with this name is a secret, such as api_key or password.
func IsSecretName(name string) bool {
	list := wordsOfName.FindAllString(name, -1)
	for i := range list {
		list[i] = strings.ToLower(list[i])
	}
	for len(list) > 1 && encodingWord.MatchString(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return false
	}
	last, before := list[len(list)-1], ""
	if len(list) > 1 {
		before = list[len(list)-2]
	}
	switch {
	case len(list) > 1 && propertyWord.MatchString(last):
		return false
	case slices.ContainsFunc(list, strongWord.MatchString):
		return true
	case pluralWord.MatchString(last):
		return guard.MatchString(before)
	}
	return weakWord.MatchString(last) && !publicWord.MatchString(before)
}
