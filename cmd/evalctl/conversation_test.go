package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"evalctl/agent/clock"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/mocks/transport"
)

// talk sends a message in a conversation and returns the complete answer as text.
type talk func(ctx context.Context, text string) string

// conversations has a function for each command that talks to an agent. It starts a conversation in
// simulated time.
var conversations = map[string]func(target string, at endpointFlags) talk{
	"chat": func(target string, at endpointFlags) talk {
		f := agentFlags{seed: 1, endpointFlags: at, model: modelAt(at), allowSimulated: allComponents}
		agents, err := f.agents(context.Background(), []string{target})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(closeAll, agents.all)
		var out bytes.Buffer
		c := &chat{agent: agents.all[target], out: terminal.Printer{W: &out}, session: newSession()}
		return func(ctx context.Context, text string) string {
			out.Reset()
			Expect(c.line(ctx, text)).To(BeFalse())
			return out.String()
		}
	},
	"serve": func(target string, at endpointFlags) talk {
		f := serveFlags{agentFlags: agentFlags{seed: 1, endpointFlags: at, model: modelAt(at),
			allowSimulated: allComponents}, maxBody: 1 << 20, maxRuns: 1, timeout: time.Hour}
		handler, err := f.service(context.Background(), []string{target}, GinkgoWriter)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(handler.Close)
		client := &http.Client{Transport: transport.Transport{Handler: handler}}
		return func(ctx context.Context, text string) string {
			body, err := json.Marshal(map[string]string{"text": text, "sessionId": "s1"})
			Expect(err).NotTo(HaveOccurred())
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/v1/agents/"+target+"/chat",
				bytes.NewReader(body))
			Expect(err).NotTo(HaveOccurred())
			r.Header.Set("Content-Type", "application/json")
			resp, err := client.Do(r)
			Expect(err).NotTo(HaveOccurred())
			stream, err := io.ReadAll(resp.Body)
			Expect(err).NotTo(HaveOccurred())
			Expect(resp.StatusCode).To(Equal(http.StatusOK), string(stream))
			return string(stream)
		}
	},
}

func modelAt(at endpointFlags) string {
	if at.baseURL == "" {
		return ""
	}
	return "m"
}

var _ = Describe("A conversation", Label("concurrent"), func() {
	for way, open := range conversations {
		It("T10: in evalctl "+way+" remembers the image of an earlier turn for half an hour", func() {
			say := open("toolrouter", endpointFlags{})
			Expect(clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
				const never = "这次对话里还没有生成过图片。"
				Expect(say(ctx, "刚才那张图里有什么")).To(ContainSubstring(never))
				Expect(say(ctx, "画一只猫")).To(ContainSubstring("图片已经生成好了。"))
				Expect(clock.Sleep(ctx, 29*time.Minute)).To(Succeed())
				Expect(say(ctx, "刚才那张图里有什么")).NotTo(ContainSubstring(never))
				Expect(clock.Sleep(ctx, 31*time.Minute)).To(Succeed())
				Expect(say(ctx, "刚才那张图里有什么")).To(ContainSubstring(never), "S10: it was idle for too long")
				return nil
			})).To(Succeed())
		})

		for _, of := range shippedSystems() {
			forgotten := Not(ContainSubstring("会飞的猪"))
			if of.Name != "scholar" && // without a file, its sessions expire
				slices.ContainsFunc(of.Settings, func(set system.Setting) bool { return set.IsPersistent }) {
				forgotten = ContainSubstring("会飞的猪") // the agent stores its messages itself
			}
			It("T10, S8, S10: in evalctl "+way+" with "+of.Name+" sends earlier messages to the model for half an hour",
				func() {
					var asked strings.Builder
					base := serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
						body, err := io.ReadAll(r.Body)
						Expect(err).NotTo(HaveOccurred())
						asked.Write(body)
						r.Body = io.NopCloser(bytes.NewReader(body))
						next.ServeHTTP(w, r)
					})
					say := open(of.Name, endpointFlags{baseURL: base})
					Expect(clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
						say(ctx, "画一只会飞的猪")
						for _, turn := range []struct {
							after time.Duration
							knows types.GomegaMatcher
						}{{29 * time.Minute, ContainSubstring("会飞的猪")}, {31 * time.Minute, forgotten}} {
							Expect(clock.Sleep(ctx, turn.after)).To(Succeed())
							asked.Reset()
							say(ctx, "再亮一点好吗")
							Expect(asked.String()).To(And(ContainSubstring("再亮一点好吗"), turn.knows),
								"after %v", turn.after)
						}
						return nil
					})).To(Succeed())
				})
		}
	}
})
