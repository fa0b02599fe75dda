package companion_test

import (
	"context"
	"errors"
	"io"
	"testing"

	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/companion"
	"evalctl/agent/system"
)

// BenchmarkTrial measures a trial of one turn with its own diary, as a run executes them by the
// thousand.
func BenchmarkTrial(b *testing.B) {
	RegisterTestingT(b)
	of := companion.System()
	for name, text := range map[string]string{"chat": "晚上吃什么好", "query": "昨天我们聊了什么"} {
		b.Run(name, func(b *testing.B) {
			s := newStage(routerReply(chat, 0.9, "null"))
			s.open()
			o, err := of.Open(system.Options{SettingValues: of.WithDefaults(nil), EndpointOf: s.link})
			Expect(err).NotTo(HaveOccurred())
			for b.Loop() {
				err := clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
					a, err := o.NewAgent(1, s.link)
					if err == nil {
						_, err = a.Respond(ctx, agent.Turn{Text: text}, nil)
						err = errors.Join(err, a.(io.Closer).Close())
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
				s.requests = nil
			}
		})
	}
}
