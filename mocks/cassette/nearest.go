package cassette

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// tried is how many recordings are looked into for the nearest one.
const tried = 16

// nearest says which recording comes nearest to a request, and how it differs.
func (c *Cassette) nearest(w TrialRef, epoch, nth int, q Request, key string) string {
	asked := c.whoIs(w)
	path := c.known(page(q.Path))
	if text := c.repeated(asked, epoch, nth, key); text != "" {
		return text
	}
	var list []int32
	for _, i := range c.trials[asked.trial(int32(epoch))] {
		if e := c.entries[i]; e.path == path && len(list) < tried {
			list = append(list, i)
		}
	}
	if list == nil {
		all := c.paths[path]
		for i := 0; i < len(all); i += len(all)/tried + 1 { // from all over the file
			list = append(list, all[i])
		}
	}
	if list == nil {
		return fmt.Sprintf("nothing at %s was ever recorded", page(q.Path))
	}
	return c.closest(list, q)
}

// repeated tells a request that was recorded, but not so often.
func (c *Cassette) repeated(asked who, epoch, nth int, key string) string {
	var k keyHash
	at, ok := chain{}, k.set(key)
	if ok {
		at, ok = c.keys[k]
	}
	times := int32(0)
	for i := at.first; ok && i >= 0; i = c.entries[i].next {
		times = max(times, c.entries[i].nth)
	}
	if times == 0 || int(times) >= nth {
		return ""
	}
	return fmt.Sprintf("it was recorded %d times in epoch %d, and this is time %d", times, epoch, nth)
}

// closest is the one of a list that has most in common with a request.
func (c *Cassette) closest(list []int32, q Request) string {
	mine := leaves(q)
	best, text := -1.0, ""
	for _, i := range list {
		e, err := c.read(i)
		if err != nil {
			return err.Error()
		}
		theirs := leaves(e.Request)
		if n := likeness(mine, theirs); n > best {
			best = n
			text = fmt.Sprintf("the nearest is %s:%d (%s of case %s, variant %s, epoch %d), where %s",
				c.Path, c.entries[i].line, e.Trial.Component, e.Trial.Case, e.Trial.Variant, e.Epoch, cmp.Or(difference(mine, theirs), "nothing differs"))
		}
	}
	return text
}

// leaves are the values of a request by their paths.
func leaves(q Request) map[string]string {
	all := map[string]string{"method": q.Method, "path": q.Path, "mode": q.HeaderMode}
	var v any
	if q.JSON != nil && json.Unmarshal(q.JSON, &v) == nil {
		grow(all, "", v)
	} else {
		all["body"] = q.Text + string(q.Base64)
	}
	return all
}

// maxLeaves bounds what is compared of a request.
const maxLeaves = 10_000

func grow(all map[string]string, path string, v any) {
	if len(all) > maxLeaves {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			grow(all, strings.TrimPrefix(path+"."+name, "."), v[name])
		}
	case []any:
		for i, one := range v {
			grow(all, path+"["+strconv.Itoa(i)+"]", one)
		}
	case string:
		all[path] = v
	default:
		all[path] = fmt.Sprint(v)
	}
}

// likeness is how many leaves are equal, and of the others what share at both ends.
func likeness(a, b map[string]string) (sum float64) {
	for path, text := range a {
		other, ok := b[path]
		if !ok {
			sum--
			continue
		}
		begin, end := common(text, other)
		sum += (1 + float64(begin+end)) / (1 + float64(max(len(text), len(other))))
	}
	return sum - float64(max(0, len(b)-len(a)))
}

// difference says where two requests differ first, by path; "": nowhere.
func difference(mine, theirs map[string]string) string {
	var list []string
	for path, text := range mine {
		if other, ok := theirs[path]; !ok || other != text {
			list = append(list, path)
		}
	}
	for path := range theirs {
		if _, ok := mine[path]; !ok {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	if len(list) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s is %s, and now %s", list[0], excerpt(theirs, mine, list[0]), excerpt(mine, theirs, list[0]))
	if more := len(list) - 1; more > 0 {
		text += fmt.Sprintf("; %d more differ", more)
	}
	if slices.ContainsFunc(list, func(path string) bool { return inName(mine[path], theirs[path]) }) {
		text += "; a session is called the same again with --session-ids seeded and the same --seed"
	}
	return text
}

// names are those of conversations that have none of their own.
var names = regexp.MustCompile(`[0-9a-f]{16}`)

// inName tells texts that differ in nothing but the name of a conversation.
func inName(a, b string) bool {
	return names.MatchString(a) && names.ReplaceAllLiteralString(a, "") == names.ReplaceAllLiteralString(b, "")
}

// How much of a text is shown before, and from, where it differs.
const (
	shownBefore = 20
	shownFrom   = 60
)

// excerpt is the text at a path, from shortly before where it differs from another.
func excerpt(of, other map[string]string, path string) string {
	text, ok := of[path]
	if !ok {
		return "missing"
	}
	begin, _ := common(text, other[path])
	from, to := max(0, begin-shownBefore), min(len(text), begin+shownFrom)
	cut := strings.ToValidUTF8(text[from:to], "")
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(text) {
		cut += "…"
	}
	return strconv.Quote(cut)
}
