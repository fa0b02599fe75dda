package evaltest

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"evalctl/agent/secret"
	"evalctl/eval"
	"evalctl/eval/number"
)

// Kind is the reason why a run did not pass.
type Kind string

// The kinds.
const (
	Config      Kind = "configuration" // the options or suites are invalid
	Provider    Kind = "provider"      // providers returned too few answers to evaluate the agent
	Incomplete  Kind = "incomplete"    // too few results, for another reason
	Interrupted Kind = "interrupted"
	Gate        Kind = "gate" // a gate failed, or is undecided with Strict
)

// Error describes why a run did not pass.
type Error struct {
	Kind Kind
	Err  error
}

func (e *Error) Error() string { return "evaltest: " + string(e.Kind) + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// wrong returns an error about a field of [Options] or [Suite].
func wrong(field, why string, a ...any) error {
	return fmt.Errorf("%s: "+why, append([]any{field}, a...)...)
}

// failedGates returns an error with the reason of each gate that did not pass.
func (r *Report) failedGates(err error) error {
	var list []string
	for _, v := range r.Summary.Gates {
		if v.Verdict != eval.GatePassed {
			list = append(list, fmt.Sprintf("%s (%s) — %s", v.Rule, v.Verdict, v.Reason))
		}
	}
	if list == nil {
		return err
	}
	return errors.New(strings.Join(list, "; "))
}

// incomplete distinguishes failed providers from other reasons.
func (r *Report) incomplete(err error) error {
	lost := map[eval.ErrorKind]int64{}
	if r != nil {
		lost = r.errors()
	}
	kind, text := Incomplete, ""
	for _, of := range eval.ErrorKinds() {
		if n := lost[of]; n > 0 {
			text += ", " + number.Thousands(n) + " " + string(of)
		}
	}
	if text == "" {
		return &Error{Kind: kind, Err: err}
	}
	if n := lost[eval.ProviderError] + lost[eval.TimeoutError]; n == sum(lost) {
		kind = Provider
	}
	return &Error{Kind: kind, Err: fmt.Errorf("%w (errors: %s)", err, text[2:])}
}

func sum(counts map[eval.ErrorKind]int64) (n int64) {
	for _, of := range counts {
		n += of
	}
	return n
}

// flagged matches a command-line flag at the start of a message.
var flagged = regexp.MustCompile(`^--([a-z-]+): `)

// options maps flags to the fields of Options.
var options = map[string]string{"gate": "Gates", "baseline": "Baseline", "out": "Out"}

// inGo rewrites an error in terms of Go: cases by their index, options by their field names. It
// redacts secrets.
func inGo(err error, temp string, secrets *secret.Set) error {
	if err == nil {
		return nil
	}
	text := secrets.Redact(err.Error())
	if m := flagged.FindStringSubmatch(text); m != nil && options[m[1]] != "" {
		text = options[m[1]] + strings.TrimPrefix(text, "--"+m[1])
	}
	lines := regexp.MustCompile(regexp.QuoteMeta(temp) + `/\d+/cases\.jsonl:(\d+)`)
	text = lines.ReplaceAllStringFunc(text, func(at string) string {
		n, _ := strconv.Atoi(lines.FindStringSubmatch(at)[1]) // the pattern matches only digits
		return fmt.Sprintf("Cases[%d]", n-1)
	})
	if text == err.Error() {
		return err
	}
	return &reworded{text: text, err: err}
}

// reworded is an error with another message.
type reworded struct {
	text string
	err  error
}

func (e *reworded) Error() string { return e.text }
func (e *reworded) Unwrap() error { return e.err }
