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

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

const (
	wish   = "画一只赛博朋克风格的猫"
	canvas = "https://pictures.example/base.png"
)

func planV2(action string, confidence float64) string {
	return fmt.Sprintf(`{"action":%q,"subject":"猫","style":"赛博朋克","confidence":%v,"reasoning":"因为"}`,
		action, confidence)
}

func planV1(action string) string {
	return fmt.Sprintf(`{"action":%q,"subject":"cat","style":"cyberpunk","prompt":"a cyberpunk cat",`+
		`"parameters":{"style_strength":60,"resolution":"800x600"},"confidence":0.9}`, action)
}

func verdict(score float64, passed bool) string {
	return fmt.Sprintf(`{"passed":%v,"score":%v,"feedback":"还行","suggestions":["换个角度"]}`, passed, score)
}

// mask returns a small PNG with a white square at (x, x), as a data URL.
func mask(x int) string {
	m := image.NewGray(image.Rect(0, 0, 8, 8))
	m.SetGray(x, x, color.Gray{Y: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

// styleLibraryName adapts a function to studio.StyleSearcher.
type styleLibraryName func(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error)

func (f styleLibraryName) Search(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error) {
	return f(ctx, q)
}

var cyberpunk = knowledge.StyleMatch{Similarity: 0.95,
	Style: knowledge.Style{ID: "cyberpunk", ZH: "赛博朋克", EN: "cyberpunk", Prompt: "neon-lit night city"}}

// imageGenerator adapts a function to studio.ImageGenerator.
type imageGenerator func(ctx context.Context, j studio.ImageRequest) (studio.Image, error)

func (f imageGenerator) Generate(ctx context.Context, j studio.ImageRequest) (studio.Image, error) {
	return f(ctx, j)
}

// stage is a studio with simulated models. It records the requests and events of its turns.
type stage struct {
	config   studio.Config
	plan     func(r model.Request) string // returns the planner's answer
	review   func(r model.Request) string // returns the critic's answer
	search   styleLibraryName
	before   func(ctx context.Context, attempt int) error // called before each attempt of the placeholder; nil: none
	faults   string
	queries  []knowledge.Query
	attempts int
	cancels  bool // conversation cancels the turns

	server   *mocks.Server
	mu       sync.Mutex
	bodies   []string
	events   []trace.Event // events of the last turn
	duration time.Duration // duration of the last turn
}

var _ http.RoundTripper = (*stage)(nil)

// newStage returns a stage whose planner replies with answer after one second, and whose style
// search finds one style.
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

// RoundTrip records a request and passes it to the simulated models.
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
	if r.Role == component.Critic {
		return answered(s.review(r))
	}
	return answered(s.plan(r))
}

// cutMark is a mark in a model's answer at which the token limit cuts it off.
const cutMark = "✂"

// answered returns a model's answer with this text, cut off at cutMark.
func answered(text string) model.Answer {
	content, isCut := strings.CutSuffix(text, cutMark)
	if isCut {
		return model.Answer{Content: content, FinishReason: "length"}
	}
	return model.Answer{Content: content}
}

func (s *stage) client(node, provider, model string, timeout time.Duration) *llm.Client {
	GinkgoHelper()
	c, err := llm.New(llm.Config{Node: node, Provider: provider, Model: model, APIKey: "sk-test",
		Timeout: timeout, HTTP: &http.Client{Transport: s}})
	Expect(err).NotTo(HaveOccurred())
	return c
}

// second is a latency of one second for each model call.
var second = map[string]latency.Latency{
	"router": latency.Constant(time.Second), "critic": latency.Constant(time.Second)}

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

// wire creates the simulated models and returns a configuration for an agent that calls them. waits
// are their latencies.
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
	if c.Reviewer = s.client("critic", "deepseek", "deepseek-chat",
		studio.CriticTimeout); c.Critic == studio.CriticVision {
		c.Reviewer = s.client("critic", "dashscope", "qwen-vl-plus", studio.CriticTimeout)
	}
	if s.search != nil {
		c.Styles = styleLibraryName(func(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error) {
			s.queries = append(s.queries, q)
			return s.search(ctx, q)
		})
	}
	if c.ImageGenerator == nil {
		c.ImageGenerator = studio.PlaceholderGenerator{Profile: c.Profile, Seed: 7,
			BeforeAttempt: func(ctx context.Context) error {
				s.attempts++
				if s.before == nil {
					return nil
				}
				return s.before(ctx, s.attempts)
			}}
	}
	return c
}

// inSimulation runs a scene with several turns on a simulated clock. respond answers one turn.
func (s *stage) inSimulation(scene func(ctx context.Context, respond func(agent.Turn) agent.Reply)) {
	GinkgoHelper()
	s.withinBy(s.open(), scene)
}

func (s *stage) withinBy(a agent.Agent, scene func(ctx context.Context, respond func(agent.Turn) agent.Reply)) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		scene(ctx, func(t agent.Turn) agent.Reply {
			GinkgoHelper()
			reply, err := s.answer(ctx, a, t)
			Expect(err).NotTo(HaveOccurred())
			return reply
		})
		return nil
	})).To(Succeed())
}

// answer answers a turn and checks the properties that every turn must have.
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

// checkEvents checks the events of a turn: their order (S7), valid components, no component twice
// in a node's run, and a single done event at the end with the content.
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

// stream returns the events for the user interface in the form that EventOrderPattern matches.
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
	case trace.KindFallback, trace.KindCriticLoop:
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

func (s *stage) eventLines(kind trace.Kind) (lines []string) {
	for _, e := range s.events {
		if e.Kind == kind {
			lines = append(lines, describe(e))
		}
	}
	return lines
}

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

// failure returns the error of a reply without its message: code, node and cause.
func failure(r agent.Reply) string {
	GinkgoHelper()
	Expect(r.ErrorReply).NotTo(BeNil())
	Expect(r.ErrorReply.Message).To(Equal(r.Content))
	Expect(r.GeneratedImageURL).To(BeEmpty())
	Expect(r.AnsweredBy).To(Equal("failed"))
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", r.ErrorReply.Code, r.ErrorReply.Node, r.ErrorReply.Cause))
}

func formatScore(f float64) string { return fmt.Sprintf("%.2f", f) }

func seedOf(url string) string {
	GinkgoHelper()
	seed, ok := strings.CutPrefix(url, "https://picsum.photos/seed/")
	Expect(ok).To(BeTrue(), url)
	seed, ok = strings.CutSuffix(seed, "/800/600")
	Expect(ok).To(BeTrue(), url)
	return seed
}
