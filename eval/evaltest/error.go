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

// Kind says whose fault it is that a run did not pass.
type Kind string

// The kinds.
const (
	Config      Kind = "configuration" // what was asked for cannot be played
	Provider    Kind = "provider"      // providers gave too few answers: nothing is known of the agent
	Incomplete  Kind = "incomplete"    // too little was measured, for another reason
	Interrupted Kind = "interrupted"
	Gate        Kind = "gate" // a gate of the options or of a suite failed, or is undecided where that counts
)

// Error is why a run did not pass.
type Error struct {
	Kind Kind
	Err  error
}

func (e *Error) Error() string { return "evaltest: " + string(e.Kind) + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// wrong names the field of [Options] or [Suite] that cannot be played.
func wrong(field, why string, a ...any) error {
	return fmt.Errorf("%s: "+why, append([]any{field}, a...)...)
}

// failedGates tells of each gate why it did not pass.
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

// incomplete tells providers that failed from all else.
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

// flagged is a flag of the command line that a message begins with.
var flagged = regexp.MustCompile(`^--([a-z-]+): `)

// options are the fields that stand for flags.
var options = map[string]string{"gate": "Gates", "baseline": "Baseline", "out": "Out"}

// inGo says of cases that were written in Go which one is wrong, and of options what
// they are called in Go. It tells no secrets.
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
		n, _ := strconv.Atoi(lines.FindStringSubmatch(at)[1]) // the pattern has digits
		return fmt.Sprintf("Cases[%d]", n-1)
	})
	if text == err.Error() {
		return err
	}
	return &reworded{text: text, err: err}
}

// reworded is an error in other words.
type reworded struct {
	text string
	err  error
}

func (e *reworded) Error() string { return e.text }
func (e *reworded) Unwrap() error { return e.err }
