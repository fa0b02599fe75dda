package broker_test

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	. "github.com/onsi/gomega"

	"evalctl/eval/fleet/broker"
)

// TestFull checks that a broker reports a full disk. It runs the broker in a separate process with
// a limit on the file size.
func TestFull(t *testing.T) {
	RegisterTestingT(t)
	if os.Getenv("BROKER_FULL") == "" {
		cmd := exec.Command("sh", "-c", `ulimit -f 64; exec "$0" -test.run TestFull`, os.Args[0])
		cmd.Env = append(os.Environ(), "BROKER_FULL=1", "BROKER_DIR="+t.TempDir())
		out, err := cmd.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), "%s", out)
		return
	}
	b, err := broker.Start(broker.Config{Dir: os.Getenv("BROKER_DIR"), Addr: "127.0.0.1:0",
		Warn: func(text string) { t.Log(text) }})
	Expect(err).NotTo(HaveOccurred())
	defer b.Close()
	nc, err := nats.Connect(b.URL())
	Expect(err).NotTo(HaveOccurred())
	defer nc.Close()
	js, err := jetstream.New(nc)
	Expect(err).NotTo(HaveOccurred())
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	_, err = js.CreateStream(ctx, jetstream.StreamConfig{Name: "s", Subjects: []string{"s"}})
	Expect(err).NotTo(HaveOccurred())
	go func() {
		for ctx.Err() == nil {
			_, _ = js.Publish(ctx, "s", make([]byte, 16<<10))
		}
	}()
	Eventually(b.Failed(), "15s").Should(Receive(MatchError(ContainSubstring("disk"))))
}
