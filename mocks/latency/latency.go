// Package latency models how long a simulated service takes to answer.
package latency

import (
	"errors"
	"fmt"
	"math"
	"time"

	"evalctl/mocks/random"
)

// Kind is the shape of a latency.
type Kind string

// The kinds of latency; the zero kind is none.
const (
	KindConstant  Kind = "constant"  // always Base
	KindLogNormal Kind = "lognormal" // median Base, sigma Sigma
	KindPerToken  Kind = "tokens"    // Base to the first token, Each between chunks
)

// Latency is how long a service takes. It is drawn from the server's seed, the
// component and the number of the call, never from the time. A streamed
// answer waits before its first token; only KindPerToken also waits
// between chunks, and as long in all before an answer that is not streamed.
type Latency struct {
	Kind      Kind
	Base      time.Duration
	Sigma     float64
	PerToken  time.Duration
	KeepAlive int // DeepSeek only: comments (blank lines when not streamed) sent while waiting
}

// Constant is always d.
func Constant(d time.Duration) Latency { return Latency{Kind: KindConstant, Base: d} }

// LogNormal is median × exp(sigma × a standard normal).
func LogNormal(median time.Duration, sigma float64) Latency {
	return Latency{Kind: KindLogNormal, Base: median, Sigma: sigma}
}

// PerToken is first to the first token and each between chunks.
func PerToken(first, each time.Duration) Latency {
	return Latency{Kind: KindPerToken, Base: first, PerToken: each}
}

// Validate names what is wrong with a Latency.
func (l Latency) Validate() error {
	switch {
	case l.Kind != "" && l.Kind != KindConstant && l.Kind != KindLogNormal && l.Kind != KindPerToken:
		return fmt.Errorf("unknown kind %q: known are %s", l.Kind, forms)
	case l.Base < 0 || l.PerToken < 0:
		return errors.New("negative duration")
	case !(l.Sigma >= 0) || l.Sigma > maxSigma:
		return fmt.Errorf("sigma %v is not within 0..%d", l.Sigma, maxSigma)
	case l.KeepAlive < 0:
		return fmt.Errorf("keepalive %d is negative", l.KeepAlive)
	}
	return nil
}

// forms tells how they are written.
const forms = "constant:50ms, lognormal:800ms,0.4 and tokens:300ms,20ms"

// maxSigma keeps draws representable: e^(10·8) times a second is not.
const maxSigma = 4

// Sample gives the time to the first token and between chunks.
func (l Latency) Sample(seed uint64) (first, each time.Duration) {
	switch l.Kind {
	case KindConstant:
		return l.Base, 0
	case KindLogNormal:
		d := random.Rand{Seed: seed}
		// Whole microseconds: floating point differs in the last bits between processors.
		us := math.Round(float64(l.Base.Microseconds()) * math.Exp(l.Sigma*d.NormFloat64()))
		return time.Duration(min(us, maxMicroseconds)) * time.Microsecond, 0
	case KindPerToken:
		return l.Base, l.PerToken
	}
	return 0, 0
}

const maxMicroseconds = 1e12
