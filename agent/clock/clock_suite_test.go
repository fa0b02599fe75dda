package clock_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
)

func TestClock(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Clock")
}

// simulate runs f in a simulation that starts at midnight.
func simulate(f func(ctx context.Context) error) error {
	return clock.RunSimulated(context.Background(), midnight, f)
}

// eventLog records events with the simulated time since midnight.
type eventLog struct{ lines []string }

func (d *eventLog) note(ctx context.Context, format string, a ...any) {
	d.lines = append(d.lines, fmt.Sprintf("%v %s", clock.Since(ctx, midnight), fmt.Sprintf(format, a...)))
}

// received receives a value, which must arrive.
func received[T any](ctx context.Context, c *clock.Chan[T]) T {
	GinkgoHelper()
	v, ok, err := c.Recv(ctx)
	Expect(err).NotTo(HaveOccurred())
	Expect(ok).To(BeTrue())
	return v
}

// promptly fails the test if f does not return within a second of wall-clock time.
func promptly(f func()) {
	GinkgoHelper()
	done := make(chan struct{})
	go func() {
		defer GinkgoRecover()
		defer close(done)
		f()
	}()
	Eventually(done, time.Second).Should(BeClosed())
}
