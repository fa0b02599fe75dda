package evaltest

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"evalctl/agent/secret"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// ErrorKind is the reason why a test run did not pass, as a category.
type ErrorKind string

// The reasons why a run did not pass.
const (
	InvalidConfig  ErrorKind = "configuration" // the options or suites are invalid
	ProviderFailed ErrorKind = "provider"      // model providers returned too few answers to evaluate the agent
	TooFewResults  ErrorKind = "incomplete"    // the run has too few results for another reason
	Interrupted    ErrorKind = "interrupted"   // the context of the run was canceled
	GateNotPassed  ErrorKind = "gate"          // a gate failed, or is undecided and [Options.Strict] is set
)

// Error describes why a test run did not pass.
type Error struct {
	Kind ErrorKind
	Err  error
}

func (e *Error) Error() string { return "evaltest: " + string(e.Kind) + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

func fieldError(field, why string, a ...any) error {
	return fmt.Errorf("%s: "+why, append([]any{field}, a...)...)
}

// failedGates returns an error with the reason of each failed gate, or err if none failed.
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

// incomplete returns the error for a run with too few results. Its kind is [ProviderFailed] if all
// errors came from model providers.
func (r *Report) incomplete(err error) error {
	errors := map[eval.ErrorKind]int64{}
	if r != nil {
		errors = r.errors()
	}
	kind, text := TooFewResults, ""
	for _, of := range eval.ErrorKinds() {
		if n := errors[of]; n > 0 {
			text += ", " + metric.FormatInteger(n) + " " + string(of)
		}
	}
	if text == "" {
		return &Error{Kind: kind, Err: err}
	}
	if n := errors[eval.ProviderError] + errors[eval.TimeoutError]; n == sum(errors) {
		kind = ProviderFailed
	}
	return &Error{Kind: kind, Err: fmt.Errorf("%w (errors: %s)", err, text[2:])}
}

func sum(counts map[eval.ErrorKind]int64) (n int64) {
	for _, of := range counts {
		n += of
	}
	return n
}

// flagPrefix matches a command-line flag at the start of an error message.
var flagPrefix = regexp.MustCompile(`^--([a-z-]+): `)

// optionFields contains the fields of [Options] by the name of the corresponding flag.
var optionFields = map[string]string{"gate": "Gates", "baseline": "Baseline", "out": "Out"}

// inGoTerms rewrites an error message for a Go test. It replaces flags by fields of Options, and
// file positions by indexes of Cases. It also redacts secrets.
func inGoTerms(err error, temp string, secrets *secret.Set) error {
	if err == nil {
		return nil
	}
	text := secrets.Redact(err.Error())
	if m := flagPrefix.FindStringSubmatch(text); m != nil && optionFields[m[1]] != "" {
		text = optionFields[m[1]] + strings.TrimPrefix(text, "--"+m[1])
	}
	lines := regexp.MustCompile(regexp.QuoteMeta(temp) + `/\d+/cases\.jsonl:(\d+)`)
	text = lines.ReplaceAllStringFunc(text, func(at string) string {
		n, _ := strconv.Atoi(lines.FindStringSubmatch(at)[1]) // cannot fail: the pattern matches only digits
		return fmt.Sprintf("Cases[%d]", n-1)
	})
	if text == err.Error() {
		return err
	}
	return &rewordedError{text: text, err: err}
}

// rewordedError is an error with another message. It unwraps to the original error.
type rewordedError struct {
	text string
	err  error
}

func (e *rewordedError) Error() string { return e.text }
func (e *rewordedError) Unwrap() error { return e.err }
