package target_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/target"
)

// worker is an agent that answers each turn after the time in its text, or fails if the text is
// "fails". It records on the trial's clock when each turn arrives and is answered.
type worker struct {
	mu    sync.Mutex
	began time.Time
	notes []string
}

var errBroken = errors.New("broken")

func (w *worker) note(ctx context.Context, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notes = append(w.notes, fmt.Sprintf("%v %s", clock.Since(ctx, w.began), what))
}

func (w *worker) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	var name, wait string
	if _, err := fmt.Sscan(t.Text, &name, &wait); err != nil {
		return agent.Reply{}, err
	}
	d, err := time.ParseDuration(wait)
	if err != nil {
		return agent.Reply{}, err
	}
	w.note(ctx, name+" comes")
	emit(trace.Event{Kind: trace.KindThoughtLog, Text: name})
	if err := clock.Sleep(ctx, d); err != nil {
		w.note(ctx, name+" is cut off")
		return agent.Reply{}, err
	}
	if name == "fails" {
		w.note(ctx, name)
		return agent.Reply{}, errBroken
	}
	w.note(ctx, name+" is answered")
	emit(trace.Event{Kind: trace.KindDone, Text: name})
	return agent.Reply{Content: "re: " + name}, nil
}

// send returns a turn of a session that is sent this long after the previous turn.
func send(text string, after time.Duration) agent.Turn {
	return agent.Turn{Text: text, Session: "s", Delay: agent.Delay(after)}
}

// runOnWorker runs turns on a new worker in simulated time.
func runOnWorker(turns ...agent.Turn) (w *worker, o eval.Outcome, err error) {
	GinkgoHelper()
	w = &worker{began: noon}
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		o, err = target.ConversationTarget{Agent: w}.Run(ctx, turns)
		w.note(ctx, "over")
		return nil
	})).To(Succeed())
	return w, o, err
}

var _ = Describe("Turns with a delay", func() {
	const ms = time.Millisecond

	DescribeTable("S8: are sent on time, whether the previous turn is answered or not",
		func(want []string, turns ...agent.Turn) {
			w, o, err := runOnWorker(turns...)
			Expect(err).NotTo(HaveOccurred())
			Expect(w.notes).To(Equal(want))
			Expect(o.Turns).To(HaveLen(len(turns)))
			for i, p := range o.Turns {
				Expect(p.Input.Text).To(Equal(turns[i].Text), "in the order of the case")
				Expect(p.Events).To(HaveLen(2), "each turn has its own")
				Expect(p.Events).To(HaveEach(HaveField("Text", p.Events[0].Text)))
			}
		},
		Entry("a turn while the first one is being answered",
			[]string{"0s a comes", "300ms b comes", "1.3s b is answered", "2s a is answered", "2s over"},
			send("a 2s", 0), send("b 1s", 300*ms)),
		Entry("turns whose delays are relative to the previous turn",
			[]string{"0s a comes", "300ms b comes", "500ms c comes", "600ms c is answered",
				"1.3s b is answered", "2s a is answered", "2s over"}, send("a 2s", 0), send("b 1s", 300*ms),
			send("c 100ms", 200*ms)),
		Entry("a turn 31 minutes later",
			[]string{"0s a comes", "2s a is answered", "31m0s b comes", "31m1s b is answered", "31m1s over"},
			send("a 2s", 0), send("b 1s", 31*time.Minute)),
		Entry("a turn at the exact time of the answer",
			[]string{"0s a comes", "2s b comes", "2s a is answered", "3s b is answered", "3s over"},
			send("a 2s", 0), send("b 1s", 2*time.Second)),
		Entry("a turn without a delay after a delayed one: it waits for all answers",
			[]string{"0s a comes", "300ms b comes", "1.3s b is answered", "2s a is answered", "2s c comes",
				"3s c is answered", "3s over"}, send("a 2s", 0), send("b 1s", 300*ms), send("c 1s", 0)),
		Entry("a second group of delayed turns",
			[]string{"0s a comes", "100ms b comes", "200ms b is answered", "1s a is answered",
				"1s c comes", "1.1s d comes",
				"1.2s d is answered", "2s c is answered", "2s over"}, send("a 1s", 0), send("b 100ms",
				100*ms), send("c 1s",
				0), send("d 100ms", 100*ms)),
		Entry("a delay of the first turn: ignored", []string{"0s a comes", "1s a is answered", "1s over"},
			send("a 1s", time.Hour)),
	)

	It("have durations that do not include the delays before them", func() {
		_, o, err := runOnWorker(send("a 2s", 0), send("b 1s", 300*ms), send("c 500ms", 31*time.Minute))
		Expect(err).NotTo(HaveOccurred())
		var duration []time.Duration
		for _, p := range o.Turns {
			duration = append(duration, p.Duration)
		}
		Expect(duration).To(Equal([]time.Duration{2 * time.Second, time.Second, 500 * ms}))
		Expect(o.Duration).To(Equal(3500 * ms))
	})

	DescribeTable("end at the first turn that fails; turns in progress are canceled and are part of the outcome",
		func(want []string, played int, turns ...agent.Turn) {
			w, o, err := runOnWorker(turns...)
			Expect(err).To(MatchError(errBroken))
			Expect(w.notes).To(Equal(want))
			Expect(o.Turns).To(HaveLen(played))
			Expect(o.Turns).To(HaveEach(HaveField("Events", Not(BeEmpty()))))
		},
		Entry("a failure while an earlier turn is in progress",
			[]string{"0s a comes", "300ms fails comes", "1.3s fails", "1.3s a is cut off", "1.3s over"}, 2,
			send("a 2s", 0), send("fails 1s", 300*ms)),
		Entry("a failure while a later turn is in progress",
			[]string{"0s fails comes", "300ms b comes", "1s fails", "1s b is cut off", "1s over"}, 2,
			send("fails 1s", 0), send("b 2s", 300*ms)),
		Entry("a failure before a later turn is sent", []string{"0s fails comes", "1s fails", "1s over"}, 1,
			send("fails 1s", 0), send("b 2s", 31*time.Minute), send("c 1s", 0)),
		Entry("a failure before a turn without a delay",
			[]string{"0s a comes", "100ms fails comes", "200ms fails", "200ms a is cut off", "200ms over"}, 2,
			send("a 1s", 0), send("fails 100ms", 100*ms), send("c 1s", 0)),
	)

	It("X6: end with an agent error if the agent panics", func() {
		o, err := conversation(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			if t.Text == "bug" {
				panic("bug")
			}
			return echo(ctx, t, emit)
		}, send("a", 0), send("bug", 300*ms))
		Expect(err).To(MatchError("panic in agent: bug"))
		Expect(o.Turns).To(HaveLen(2))
		Expect(o.Turns[0].Duration).To(Equal(300 * ms))
	})

	It("without a session have as history the messages that were answered before they are sent", func() {
		heard := map[string][]string{}
		_, err := conversation(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			for _, m := range t.History {
				heard[t.Text] = append(heard[t.Text], m.Content)
			}
			return echo(ctx, t, emit) // echo takes a second
		}, agent.Turn{Text: "a"}, agent.Turn{Text: "b", Delay: agent.Delay(300 * ms)},
			agent.Turn{Text: "c", Delay: agent.Delay(900 * ms)}, agent.Turn{Text: "d"})
		Expect(err).NotTo(HaveOccurred())
		Expect(heard).To(Equal(map[string][]string{
			"c": {"a", "re: a"},
			"d": {"a", "re: a", "b", "re: b", "c", "re: c"},
		}))
	})

	It("have separate events and histories when many overlap on the real clock", func() {
		w := &worker{began: time.Now()}
		turns := []agent.Turn{send("a 3ms", 0)}
		for range 30 {
			turns = append(turns, agent.Turn{Text: "b 2ms", Delay: agent.Delay(100 * time.Microsecond)})
		}
		o, err := target.ConversationTarget{Agent: w}.Run(context.Background(),
			append(turns, agent.Turn{Text: "c 1ms"}))
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Turns).To(HaveLen(32))
		Expect(o.Turns).To(HaveEach(HaveField("Events", HaveLen(2))))
		Expect(o.Turns[31].Input.History).To(HaveLen(60), "of the turns without a session")
	})
})

var _ = Describe("Turns with a session", func() {
	It("get no history from evalctl, and are not in the history of other turns", func() {
		heard := map[string]int{}
		own := []agent.Message{{Role: "user", Content: "在吗"}}
		o, err := conversation(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			heard[t.Text] = len(t.History)
			return echo(ctx, t, emit)
		}, agent.Turn{Text: "一", Session: "s", History: own}, agent.Turn{Text: "二", Session: "s"},
			agent.Turn{Text: "三"},
			agent.Turn{Text: "四", Session: "other"}, agent.Turn{Text: "五"})
		Expect(err).NotTo(HaveOccurred())
		Expect(heard).To(Equal(map[string]int{"一": 1, "二": 0, "三": 0, "四": 0, "五": 2}))
		Expect(o.Turns[0].Input.History).To(Equal(own))
		Expect(o.Turns[4].Input.History[0].Content).To(Equal("三"))
	})
})

var _ = It("C10: a message that is answered together with a later one adds no time to the conversation", func() {
	o, err := conversation(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
		reply, err := echo(ctx, t, emit)
		reply.IsDeferred = t.Text == "在吗"
		return reply, err
	}, agent.Turn{Text: "在吗", Session: "s"}, agent.Turn{Text: "昨天呢", Session: "s"})
	Expect(err).NotTo(HaveOccurred())
	Expect(o.Duration).To(Equal(time.Second))
	Expect(o.Turns[0].Duration).To(Equal(time.Second))
})
