package studio_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

func TestStudio(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "studio")
}

// noon is the start time of every simulated turn.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

const (
	wish   = "画一只赛博朋克风格的猫"
	canvas = "https://pictures.example/base.png"
)

// planV2 is a planner's answer in profile v2.
func planV2(action string, confidence float64) string {
	return fmt.Sprintf(`{"action":%q,"subject":"猫","style":"赛博朋克","confidence":%v,"reasoning":"因为"}`,
		action, confidence)
}

// planV1 is a planner's answer in profile v1.
func planV1(action string) string {
	return fmt.Sprintf(`{"action":%q,"subject":"cat","style":"cyberpunk","prompt":"a cyberpunk cat",`+
		`"parameters":{"style_strength":60,"resolution":"800x600"},"confidence":0.9}`, action)
}

func verdict(score float64, passed bool) string {
	return fmt.Sprintf(`{"passed":%v,"score":%v,"feedback":"还行","suggestions":["换个角度"]}`, passed, score)
}

// mask is a small PNG with a white square at (x, x).
func mask(x int) string {
	m := image.NewGray(image.Rect(0, 0, 8, 8))
	m.SetGray(x, x, color.Gray{Y: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

// shelf is a function that implements studio.Retriever.
type shelf func(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error)

func (f shelf) Search(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error) {
	return f(ctx, q)
}

var cyberpunk = knowledge.StyleMatch{Similarity: 0.95,
	Style: knowledge.Style{ID: "cyberpunk", ZH: "赛博朋克", EN: "cyberpunk", Prompt: "neon-lit night city"}}

// imageGenerator is a function that implements studio.ImageGenerator.
type imageGenerator func(ctx context.Context, j studio.ImageRequest) (studio.Image, error)

func (f imageGenerator) Paint(ctx context.Context, j studio.ImageRequest) (studio.Image, error) {
	return f(ctx, j)
}

// stage is a studio with mock providers, and a record of its turns.
type stage struct {
	config   studio.Config
	plan     func(r model.Request) string // the planner's answers
	review   func(r model.Request) string // the critic's answers
	search   shelf
	before   func(ctx context.Context, attempt int) error // of the placeholder; nil: none
	faults   string
	queries  []knowledge.Query
	attempts int

	server   *mocks.Server
	mu       sync.Mutex
	bodies   []string
	events   []trace.Event // of the last turn
	duration time.Duration // of the last turn
}

var _ http.RoundTripper = (*stage)(nil)

// newStage has a planner that returns answer after one second, and a library that finds one style.
func newStage(profile studio.Profile, answer string) *stage {
	return &stage{
		config: studio.Config{Profile: profile, Seed: 7},
		plan:   func(model.Request) string { return answer },
		review: func(model.Request) string { return verdict(0.9, true) },
		search: func(context.Context, knowledge.Query) ([]knowledge.StyleMatch, error) {
			return []knowledge.StyleMatch{cyberpunk}, nil
		},
	}
}

// RoundTrip records the request and forwards it to the mocks.
func (s *stage) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(b))
		s.mu.Lock()
		s.bodies = append(s.bodies, string(b))
		s.mu.Unlock()
	}
	return transport.Transport{Handler: s.server}.RoundTrip(r)
}

func (s *stage) model(r model.Request) model.Answer {
	if r.Component == component.Critic {
		return answered(s.review(r))
	}
	return answered(s.plan(r))
}

// cutMark marks the end of an answer that is cut by the token limit.
const cutMark = "✂"

// answered is an answer with this text, which may be cut.
func answered(text string) model.Answer {
	content, isCut := strings.CutSuffix(text, cutMark)
	if isCut {
		return model.Answer{Content: content, FinishReason: "length"}
	}
	return model.Answer{Content: content}
}

// client is a client for a model of the stage.
func (s *stage) client(node, provider, model string, timeout time.Duration) *llm.Client {
	GinkgoHelper()
	c, err := llm.New(llm.Config{Node: node, Provider: provider, Model: model, APIKey: "sk-test",
		Timeout: timeout, HTTP: &http.Client{Transport: s}})
	Expect(err).NotTo(HaveOccurred())
	return c
}

// second is the latency of each model call.
var second = map[string]latency.Latency{
	"router": latency.Constant(time.Second), "critic": latency.Constant(time.Second)}

// open creates the mocks and the agent.
func (s *stage) open() *studio.Agent {
	GinkgoHelper()
	return opened(s.wire(second))
}

func opened(c studio.Config) *studio.Agent {
	GinkgoHelper()
	a, err := studio.New(c)
	Expect(err).NotTo(HaveOccurred())
	return a
}

// wire creates the mocks, and the agent's configuration with them.
func (s *stage) wire(waits map[string]latency.Latency) studio.Config {
	GinkgoHelper()
	cfg := mocks.Config{Model: model.Func(s.model), Latency: waits}
	var err error
	if s.faults != "" {
		cfg.Faults, err = fault.Parse(s.faults, nil)
		Expect(err).NotTo(HaveOccurred())
	}
	s.server, err = mocks.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	c := s.config
	c.Planner = s.client("planner", "deepseek", "deepseek-chat", studio.PlannerTimeout)
	if c.Reviewer = s.client("critic", "deepseek", "deepseek-chat", studio.CriticTimeout); c.Critic == studio.Vision {
		c.Reviewer = s.client("critic", "dashscope", "qwen-vl-plus", studio.CriticTimeout)
	}
	if s.search != nil {
		c.Styles = shelf(func(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error) {
			s.queries = append(s.queries, q)
			return s.search(ctx, q)
		})
	}
	if c.ImageGenerator == nil {
		c.ImageGenerator = studio.Placeholder{Profile: c.Profile, Seed: 7, Before: func(ctx context.Context) error {
			s.attempts++
			if s.before == nil {
				return nil
			}
			return s.before(ctx, s.attempts)
		}}
	}
	return c
}

// inSimulation runs several turns in simulated time; respond answers one.
func (s *stage) inSimulation(scene func(ctx context.Context, respond func(agent.Turn) agent.Reply)) {
	GinkgoHelper()
	s.withinBy(s.open(), scene)
}

func (s *stage) withinBy(a agent.Agent, scene func(ctx context.Context, respond func(agent.Turn) agent.Reply)) {
	GinkgoHelper()
	Expect(clock.Run(context.Background(), noon, func(ctx context.Context) error {
		scene(ctx, func(t agent.Turn) agent.Reply {
			GinkgoHelper()
			reply, err := s.answer(ctx, a, t)
			Expect(err).NotTo(HaveOccurred())
			return reply
		})
		return nil
	})).To(Succeed())
}

// answer runs a turn and checks what must hold for every one.
func (s *stage) answer(ctx context.Context, a agent.Agent, t agent.Turn) (agent.Reply, error) {
	GinkgoHelper()
	s.events = nil
	begin := clock.Now(ctx)
	reply, err := a.Respond(ctx, t, func(e trace.Event) { s.events = append(s.events, e) })
	s.duration = clock.Since(ctx, begin)
	if err == nil {
		s.checkEvents(reply)
	}
	return reply, err
}

// runTurn answers one turn.
func (s *stage) runTurn(t agent.Turn) agent.Reply {
	GinkgoHelper()
	return s.playBy(s.open(), t)
}

func (s *stage) playBy(a agent.Agent, t agent.Turn) (reply agent.Reply) {
	GinkgoHelper()
	s.withinBy(a, func(_ context.Context, respond func(agent.Turn) agent.Reply) { reply = respond(t) })
	return reply
}

func (s *stage) runText(text string) agent.Reply {
	GinkgoHelper()
	return s.runTurn(agent.Turn{Text: text})
}

// checkEvents checks the events: S7's order, valid components once per node visit, and a single
// done event at the end with the content.
func (s *stage) checkEvents(reply agent.Reply) {
	GinkgoHelper()
	Expect(s.stream()).To(MatchRegexp(studio.EventOrderPattern(s.config.Profile).String()))
	Expect(s.components()).NotTo(BeEmpty())
	node, seen := "", map[string]bool{}
	for _, e := range s.events {
		if e.Node != node {
			node, seen = e.Node, map[string]bool{}
		}
		if e.Kind == trace.KindGenUIComponent {
			conforms(string(e.Data))
			Expect(seen).NotTo(HaveKey(string(e.Data)), "shown twice")
			seen[string(e.Data)] = true
		}
	}
	last := s.events[len(s.events)-1]
	Expect(last.Kind).To(Equal(trace.KindDone))
	Expect(last.Text).To(Equal(reply.Content))
	Expect(reply.Content).NotTo(BeEmpty())
	Expect(s.eventLines(trace.KindDone)).To(HaveLen(1))
}

// stream is the event sequence for the user interface, as EventOrderPattern matches it.
func (s *stage) stream() string {
	var b strings.Builder
	for _, e := range s.events {
		switch e.Kind {
		case trace.KindThoughtLog, trace.KindGenUIComponent, trace.KindError:
			fmt.Fprintf(&b, "%s:%s ", e.Kind, e.Node)
		}
	}
	return b.String()
}

func (s *stage) components() (list []string) {
	for _, e := range s.events {
		if e.Kind == trace.KindGenUIComponent {
			list = append(list, string(e.Data))
		}
	}
	return list
}

// story formats the events, one per line.
func (s *stage) story() (lines []string) {
	for _, e := range s.events {
		lines = append(lines, fmt.Sprintf("%v %s", e.Offset, describe(e)))
	}
	return lines
}

func describe(e trace.Event) string {
	switch e.Kind {
	case trace.KindSpan:
		return fmt.Sprintf("span %s %s#%d %s", e.Node, e.Span.Provider, e.Span.Attempt, cmp.Or(e.Span.Error, "ok"))
	case trace.KindFallback, trace.KindLoop:
		return fmt.Sprintf("%s %s→%s (%s)", e.Kind, e.From, e.To, e.Reason)
	case trace.KindReview:
		return fmt.Sprintf("review %d by %s: %.2f %v", e.Review.Loop, e.Review.Reviewer, e.Review.Score,
			e.Review.Passed)
	case trace.KindThoughtLog, trace.KindDone:
		return fmt.Sprintf("%s %s", cmp.Or(e.Node, "done"), e.Text)
	case trace.KindGenUIComponent, trace.KindError:
		return fmt.Sprintf("%s %s", e.Node, e.Data)
	default:
		return fmt.Sprintf("%s %s %s (%s)", e.Kind, e.Node, e.To, e.Reason)
	}
}

// eventLines formats the events of a kind.
func (s *stage) eventLines(kind trace.Kind) (lines []string) {
	for _, e := range s.events {
		if e.Kind == kind {
			lines = append(lines, describe(e))
		}
	}
	return lines
}

// sent is the n-th chat request, from 0.
func (s *stage) sent(n int) (r struct {
	Messages       []sentMessage
	Temperature    *float64
	ResponseFormat struct{ Type string } `json:"response_format"`
	Thinking       struct{ Type string }
}) {
	GinkgoHelper()
	Expect(len(s.bodies)).To(BeNumerically(">", n))
	Expect(json.Unmarshal([]byte(s.bodies[n]), &r)).To(Succeed())
	return r
}

type sentMessage struct {
	Role    string
	Content any
}

// failure is a reply's error without its text.
func failure(r agent.Reply) string {
	GinkgoHelper()
	Expect(r.ErrorReply).NotTo(BeNil())
	Expect(r.ErrorReply.Message).To(Equal(r.Content))
	Expect(r.GeneratedImageURL).To(BeEmpty())
	Expect(r.AnsweredBy).To(Equal("failed"))
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", r.ErrorReply.Code, r.ErrorReply.Node, r.ErrorReply.Cause))
}

// formatScore formats a number with two decimals, as the critics do.
func formatScore(f float64) string { return fmt.Sprintf("%.2f", f) }

// seedOf is the seed in a placeholder's URL.
func seedOf(url string) string {
	GinkgoHelper()
	seed, ok := strings.CutPrefix(url, "https://picsum.photos/seed/")
	Expect(ok).To(BeTrue(), url)
	seed, ok = strings.CutSuffix(seed, "/800/600")
	Expect(ok).To(BeTrue(), url)
	return seed
}
