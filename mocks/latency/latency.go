// Package latency models the response time of a simulated provider.
package latency

import (
	"errors"
	"fmt"
	"math"
	"time"

	"evalctl/mocks/random"
)

// Kind is a type of response time model.
type Kind string

// The kinds of response time models. The zero Kind answers at once.
const (
	KindConstant  Kind = "constant"  // always Base
	KindLogNormal Kind = "lognormal" // log-normal with median Base and sigma Sigma
	KindPerToken  Kind = "tokens"    // Base until the first token, then PerToken between chunks
)

// Latency is a model of a component's response time. Random draws depend on a seed, never on the
// current time. A streamed answer waits before its first token; only KindPerToken also waits
// between chunks. An answer without streaming waits for the same total time.
type Latency struct {
	Kind           Kind
	Base           time.Duration // its meaning depends on Kind
	Sigma          float64       // standard deviation of the logarithm; KindLogNormal only
	PerToken       time.Duration // time between chunks; KindPerToken only
	KeepAliveLines int           // DeepSeek only: number of keep-alive lines sent while the client waits
}

// Constant returns a Latency that is always d.
func Constant(d time.Duration) Latency { return Latency{Kind: KindConstant, Base: d} }

// LogNormal returns a log-normal Latency: median × exp(sigma × a standard normal number).
func LogNormal(median time.Duration, sigma float64) Latency {
	return Latency{Kind: KindLogNormal, Base: median, Sigma: sigma}
}

// PerToken returns a Latency of first until the first token and each between chunks.
func PerToken(first, each time.Duration) Latency {
	return Latency{Kind: KindPerToken, Base: first, PerToken: each}
}

// Validate returns an error for an unknown Kind, a negative duration or a Sigma outside
// 0..maxSigma. The zero Latency is valid.
func (l Latency) Validate() error {
	switch {
	case l.Kind != "" && l.Kind != KindConstant && l.Kind != KindLogNormal && l.Kind != KindPerToken:
		return fmt.Errorf("unknown kind %q: known are %s", l.Kind, forms)
	case l.Base < 0 || l.PerToken < 0:
		return errors.New("negative duration")
	case !(l.Sigma >= 0) || l.Sigma > maxSigma:
		return fmt.Errorf("sigma %v is not within 0..%d", l.Sigma, maxSigma)
	case l.KeepAliveLines < 0:
		return fmt.Errorf("keepalive %d is negative", l.KeepAliveLines)
	}
	return nil
}

// forms lists the formats that Parse accepts, for messages.
const forms = "constant:50ms, lognormal:800ms,0.4 and tokens:300ms,20ms"

// maxSigma limits sigma, so that drawn latencies fit into a time.Duration.
const maxSigma = 4

// Sample returns the time until the first token and the time between chunks for one call.
func (l Latency) Sample(seed uint64) (first, each time.Duration) {
	switch l.Kind {
	case KindConstant:
		return l.Base, 0
	case KindLogNormal:
		d := random.Rand{Seed: seed}
		// Round to whole microseconds, because floating-point results differ in the last bits
		// between processors.
		us := math.Round(float64(l.Base.Microseconds()) * math.Exp(l.Sigma*d.NormFloat64()))
		return time.Duration(min(us, maxMicroseconds)) * time.Microsecond, 0
	case KindPerToken:
		return l.Base, l.PerToken
	}
	return 0, 0
}

const maxMicroseconds = 1e12
