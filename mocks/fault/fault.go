// Package fault defines the faults of simulated providers, when they are triggered and how they
// change an answer.
package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"evalctl/mocks/component"
	"evalctl/mocks/random"
)

// Kind is a type of fault.
type Kind string

// The kinds of faults. Some differ without streaming: TruncatedStream cuts the content at any place
// (finish_reason length), StalledStream stops in the middle of the body, and ErrorInStream is the
// provider's error. For a synchronous image, TaskFailed is the status 500 of a failed generation.
// TaskEndless is DashScope's 408 after its time limit (mocks.SyncTimeout).
const (
	Timeout         Kind = "timeout"                     // accepted, never answered
	Slow            Kind = "slow"                        // 10 × the latency, or Delay in addition to it
	Reset           Kind = "reset"                       // the connection is dropped
	RateLimited     Kind = "rate_limited"                // 429 with Retry-After (Delay, 1 s)
	RateLimitedBare Kind = "rate_limited_no_retry_after" // 429 without Retry-After
	ServerError     Kind = "server_error"                // 500
	Overloaded      Kind = "overloaded"                  // 503; Ark: 429 ServerOverloaded
	Auth            Kind = "auth"                        // 401
	NoBalance       Kind = "no_balance"                  // the provider's own status
	MalformedJSON   Kind = "malformed_json"              // JSON that no parser can repair
	WrongSchema     Kind = "wrong_schema"                // valid JSON with an invalid enum value or a missing field
	EmptyContent    Kind = "empty_content"
	LowConfidence   Kind = "low_confidence" // "confidence":0.2
	FallbackLabel   Kind = "fallback_label" // always the fallback label
	TruncatedStream Kind = "truncated_stream"
	StalledStream   Kind = "stalled_stream"
	ErrorInStream   Kind = "error_in_stream"
	TaskFailed      Kind = "task_failed"
	TaskEndless     Kind = "task_endless"    // RUNNING forever
	ContentBlocked  Kind = "content_blocked" // the provider's moderation error
)

// SlowWithoutLatency is the delay of a Slow fault for a part without latency.
const SlowWithoutLatency = 10 * time.Second

func Kinds() []Kind {
	return []Kind{
		Timeout, Slow, Reset, RateLimited, RateLimitedBare, ServerError, Overloaded, Auth, NoBalance,
		MalformedJSON, WrongSchema, EmptyContent, LowConfidence, FallbackLabel, TruncatedStream, StalledStream,
		ErrorInStream, TaskFailed, TaskEndless, ContentBlocked,
	}
}

// AppliesTo reports whether the kind can occur in a role.
func (k Kind) AppliesTo(c component.Role) bool {
	if c == component.RoleStore {
		return slices.Contains(storeKinds, k)
	}
	switch k {
	case MalformedJSON, WrongSchema:
		return c == component.Router || c == component.RoleStructured || c == component.Critic ||
			c == component.Grader || c == component.Vision
	case LowConfidence, FallbackLabel:
		return c == component.Router // only the router returns labels and a confidence
	case EmptyContent:
		return c.IsChatModel() || c == component.RoleRetrieval || c == component.RoleSearchEngine // no results
	case TruncatedStream, StalledStream, ErrorInStream:
		return c.IsChatModel()
	case TaskFailed, TaskEndless:
		return c == component.Image
	case ContentBlocked:
		return c.IsChatModel() || c == component.Image
	}
	return slices.Contains(Kinds(), k) && c.Index() >= 0
}

// storeKinds are the kinds that apply to a store, which has no keys and no prices.
var storeKinds = []Kind{Timeout, Slow, Reset, ServerError, Overloaded}

// Fault is a fault of one part: at every call, only at the N-th call, or at each call with a
// probability of Percent. If several faults are triggered, the first one applies; a Slow fault
// applies in addition.
type Fault struct {
	Part    string // name of a part of the agent
	Kind    Kind
	Nth     int           // from 1; 0: any call
	Percent float64       // 0..100; 0: not random
	Delay   time.Duration // of Slow, and Retry-After of RateLimited; 0: the default
}

// Validate returns what is wrong with a fault for an agent with these parts.
func (f Fault) Validate(parts component.Components) error {
	if err := parts.Check(f.Part); err != nil {
		return err
	}
	role, _ := parts.Component(f.Part)
	if !slices.Contains(Kinds(), f.Kind) {
		return fmt.Errorf("unknown kind %q: known for %s are %s", f.Kind, f.Part, kindsOf(role))
	}
	if !f.Kind.AppliesTo(role) {
		return fmt.Errorf("kind %q makes no sense for %s: known are %s", f.Kind, f.Part, kindsOf(role))
	}
	switch {
	case f.Nth < 0:
		return fmt.Errorf("call number %d of %s:%s is not positive", f.Nth, f.Part, f.Kind)
	case !(f.Percent >= 0 && f.Percent <= 100):
		return fmt.Errorf("chance %v of %s:%s is not within 0..100", f.Percent, f.Part, f.Kind)
	case f.Nth > 0 && f.Percent > 0:
		return fmt.Errorf("%s:%s has both a call number and a chance", f.Part, f.Kind)
	case f.Delay < 0:
		return fmt.Errorf("delay %v of %s:%s is negative", f.Delay, f.Part, f.Kind)
	case f.Delay > 0 && !f.Kind.delays():
		return fmt.Errorf("kind %q takes no duration: only %s and %s do", f.Kind, Slow, RateLimited)
	}
	return nil
}

func (k Kind) delays() bool { return k == Slow || k == RateLimited }

// kindsOf lists the kinds that apply to a role, for messages.
func kindsOf(c component.Role) string {
	var names []string
	for _, k := range Kinds() {
		if k.AppliesTo(c) {
			names = append(names, string(k))
		}
	}
	return strings.Join(names, ", ")
}

// Triggers reports whether the fault is triggered by the nth call; seed determines the random draw.
func (f Fault) Triggers(nth int, seed uint64) bool {
	switch {
	case f.Nth > 0:
		return f.Nth == nth
	case f.Percent > 0:
		d := random.Rand{Seed: seed}
		return d.Float64()*100 < f.Percent
	}
	return true
}

// String returns the fault in the format of Parse.
func (f Fault) String() string {
	var b strings.Builder
	b.WriteString(f.Part + ":" + string(f.Kind))
	if f.Delay > 0 {
		b.WriteString("=" + f.Delay.String())
	}
	if f.Nth > 0 {
		fmt.Fprintf(&b, "@%d", f.Nth)
	}
	if f.Percent > 0 {
		b.WriteString("%" + strconv.FormatFloat(f.Percent, 'f', -1, 64))
	}
	return b.String()
}
