// Package fault defines the faults that can be injected into simulated providers: when they are
// triggered and how they change an answer.
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

// Kind is a type of fault, such as timeout.
type Kind string

// The kinds of faults. Some differ without streaming: TruncatedStream cuts the content
// (finish_reason length), StalledStream stops in the middle of the body, and ErrorInStream is an
// error response. For a synchronous image request, TaskFailed is a response with status 500.
// TaskNeverEnds is then DashScope's status 408, after the time limit mocks.SyncImageTimeout.
const (
	Timeout Kind = "timeout" // the request is accepted and never answered
	// 10 times the latency, or Delay in addition to the latency
	Slow                    Kind = "slow"
	Reset                   Kind = "reset"                       // the connection is dropped
	RateLimited             Kind = "rate_limited"                // status 429 with Retry-After (Delay, default 1 s)
	RateLimitedNoRetryAfter Kind = "rate_limited_no_retry_after" // status 429 without Retry-After
	ServerError             Kind = "server_error"                // status 500
	Overloaded              Kind = "overloaded"                  // status 503; Ark: 429 ServerOverloaded
	Auth                    Kind = "auth"                        // status 401: invalid API key
	// the account has no credit; the status differs by provider
	NoBalance     Kind = "no_balance"
	MalformedJSON Kind = "malformed_json" // JSON that no parser can repair
	// valid JSON with an invalid enum value or a missing field
	WrongSchema     Kind = "wrong_schema"
	EmptyContent    Kind = "empty_content"    // an answer without content or results
	LowConfidence   Kind = "low_confidence"   // the answer contains "confidence":0.2
	FallbackLabel   Kind = "fallback_label"   // the router always returns the fallback label
	TruncatedStream Kind = "truncated_stream" // the stream ends early, without an error
	// the stream stops in the middle; the connection stays open
	StalledStream  Kind = "stalled_stream"
	ErrorInStream  Kind = "error_in_stream" // an error event in the middle of the stream
	TaskFailed     Kind = "task_failed"     // the image task ends with the status FAILED
	TaskNeverEnds  Kind = "task_endless"    // the image task stays RUNNING
	ContentBlocked Kind = "content_blocked" // the provider's content moderation error
)

// DefaultSlowDelay is the delay of a Slow fault for a component that has no latency.
const DefaultSlowDelay = 10 * time.Second

// Kinds returns all kinds of faults, in the order in which messages and expanded wildcards
// (COMPONENT:all) list them.
func Kinds() []Kind {
	return []Kind{
		Timeout, Slow, Reset, RateLimited, RateLimitedNoRetryAfter, ServerError, Overloaded, Auth, NoBalance,
		MalformedJSON, WrongSchema, EmptyContent, LowConfidence, FallbackLabel, TruncatedStream, StalledStream,
		ErrorInStream, TaskFailed, TaskNeverEnds, ContentBlocked,
	}
}

// AppliesTo reports whether this kind of fault can be injected into a component with the given
// role.
func (k Kind) AppliesTo(c component.Role) bool {
	if c == component.RoleStore {
		return slices.Contains(storeKinds, k)
	}
	switch k {
	case MalformedJSON, WrongSchema:
		return c == component.Router || c == component.RoleStructured || c == component.Critic ||
			c == component.Grader || c == component.Vision
	case LowConfidence, FallbackLabel:
		return c == component.Router // only a router returns labels and a confidence
	case EmptyContent:
		// a retrieval or search component then returns no results
		return c.IsChatModel() || c == component.RoleRetrieval || c == component.RoleSearchEngine
	case TruncatedStream, StalledStream, ErrorInStream:
		return c.IsChatModel()
	case TaskFailed, TaskNeverEnds:
		return c == component.Image
	case ContentBlocked:
		return c.IsChatModel() || c == component.Image
	}
	return slices.Contains(Kinds(), k) && c.Index() >= 0
}

// storeKinds are the kinds that apply to a store, which has no API key and no prices.
var storeKinds = []Kind{Timeout, Slow, Reset, ServerError, Overloaded}

// Fault is a fault of one component. It is triggered by every call, only by the Nth call, or by
// each call with a probability. If a call triggers several faults, only the first one is injected;
// a Slow fault is injected in addition.
type Fault struct {
	Component  string // name of the affected component
	Kind       Kind
	CallNumber int           // number of the call that triggers the fault, from 1; 0: any call
	Percent    float64       // probability per call, in percent, 0..100; 0: not random
	Delay      time.Duration // delay of Slow, or Retry-After of RateLimited; 0: the default
}

// Validate returns an error if the fault cannot be injected into an agent with the given
// components.
func (f Fault) Validate(parts component.Components) error {
	if err := parts.CheckName(f.Component); err != nil {
		return err
	}
	role, _ := parts.RoleOf(f.Component)
	if !slices.Contains(Kinds(), f.Kind) {
		return fmt.Errorf("unknown kind %q: known for %s are %s", f.Kind, f.Component, kindsOf(role))
	}
	if !f.Kind.AppliesTo(role) {
		return fmt.Errorf("kind %q makes no sense for %s: known are %s", f.Kind, f.Component, kindsOf(role))
	}
	switch {
	case f.CallNumber < 0:
		return fmt.Errorf("call number %d of %s:%s is not positive", f.CallNumber, f.Component, f.Kind)
	case !(f.Percent >= 0 && f.Percent <= 100):
		return fmt.Errorf("chance %v of %s:%s is not within 0..100", f.Percent, f.Component, f.Kind)
	case f.CallNumber > 0 && f.Percent > 0:
		return fmt.Errorf("%s:%s has both a call number and a chance", f.Component, f.Kind)
	case f.Delay < 0:
		return fmt.Errorf("delay %v of %s:%s is negative", f.Delay, f.Component, f.Kind)
	case f.Delay > 0 && !f.Kind.delays():
		return fmt.Errorf("kind %q takes no duration: only %s and %s do", f.Kind, Slow, RateLimited)
	}
	return nil
}

func (k Kind) delays() bool { return k == Slow || k == RateLimited }

// kindsOf lists the kinds of faults that apply to a role, for messages.
func kindsOf(c component.Role) string {
	var names []string
	for _, k := range Kinds() {
		if k.AppliesTo(c) {
			names = append(names, string(k))
		}
	}
	return strings.Join(names, ", ")
}

// Triggers reports whether the nth call triggers the fault. seed determines the random draw for
// Percent.
func (f Fault) Triggers(nth int, seed uint64) bool {
	switch {
	case f.CallNumber > 0:
		return f.CallNumber == nth
	case f.Percent > 0:
		d := random.Rand{Seed: seed}
		return d.Float64()*100 < f.Percent
	}
	return true
}

// String returns the fault in the format that Parse reads.
func (f Fault) String() string {
	var b strings.Builder
	b.WriteString(f.Component + ":" + string(f.Kind))
	if f.Delay > 0 {
		b.WriteString("=" + f.Delay.String())
	}
	if f.CallNumber > 0 {
		fmt.Fprintf(&b, "@%d", f.CallNumber)
	}
	if f.Percent > 0 {
		b.WriteString("%" + strconv.FormatFloat(f.Percent, 'f', -1, 64))
	}
	return b.String()
}
