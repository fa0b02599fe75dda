package newsroom_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/newsroom"
	"evalctl/mocks/model"
)

// Environment variables of a child process that is killed while it works: the file with the
// conversations, and the call of a component at which it is killed.
const (
	killedStore = "NEWSROOM_TEST_STORE"
	killedAt    = "NEWSROOM_TEST_KILLED_AT"
)

// callOrder is the order of the calls in an undisturbed turn. A number counts the calls of a
// component.
var callOrder = []string{"router 1", "brief 1", "router 2", "research 1", "search 1", "research 2", "router 3",
	"layout 1", "router 4", "image_plan 1", "router 5", "writer 1", "router 6", "image_agent 1", "paint 1", "paint 2",
	"router 7", "review 1"}

// resumable is a newsroom that stops at a call, and counts the calls of its components.
type resumable struct {
	*stage
	calls  map[string]int
	agent  agent.Agent
	stopAt string // call such as "writer 1"; "": none
	stop   func() // cancels the turn, or kills the process if isKilled is set

	isKilled bool
}

// newResumable creates a newsroom that stores conversations in threads.
func newResumable(threads newsroom.ThreadStore) *resumable {
	GinkgoHelper()
	r := &resumable{stage: newStage(followPath(whole...)), calls: map[string]int{}}
	r.onCall = r.count
	cfg := r.config()
	cfg.Threads = threads
	cfg.ImageGenerator = imageGenerator(func(j newsroom.ImageRequest) (string, error) {
		r.count("paint")
		return "https://images.example/" + fmt.Sprintf("%x", j.Prompt), nil
	})
	var err error
	r.agent, err = newsroom.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return r
}

func (r *resumable) count(part string) {
	r.calls[part]++
	if fmt.Sprint(part, " ", r.calls[part]) == r.stopAt {
		r.stop()
	}
}

// say sends a message of the conversation. The context ends when the newsroom stops.
func (r *resumable) say(text string) (reply agent.Reply, err error) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		if !r.isKilled {
			r.stop = cancel
		}
		reply, err = r.answer(ctx, r.agent, agent.Turn{Session: "s1", Text: text})
		return nil
	})).To(Succeed())
	return reply, err
}

// runUntilKilled works on a request until the process kills itself.
func runUntilKilled(path string) {
	RegisterFailHandler(func(message string, _ ...int) { panic(message) })
	threads, err := newsroom.OpenFileStore(path)
	Expect(err).NotTo(HaveOccurred())
	r := newResumable(threads)
	r.stopAt = os.Getenv(killedAt)
	r.isKilled, r.stop = true, func() {
		self, err := os.FindProcess(os.Getpid())
		Expect(err).NotTo(HaveOccurred())
		Expect(self.Kill()).To(Succeed())
		select {} // until the signal arrives
	}
	_, err = r.say(sampleRequest)
	fmt.Println("not killed:", err)
	os.Exit(1)
}

// expectResumed sends "继续" and expects that nothing that was completed before a stop is done again.
func (r *resumable) expectResumed(at string) {
	GinkgoHelper()
	r.stopAt, r.calls, r.requests = "", map[string]int{}, map[string][]model.Request{}
	reply, err := r.say("继续")
	Expect(err).NotTo(HaveOccurred())
	Expect(reply.AnsweredBy).To(Equal("END"))
	Expect(strings.Count(reply.Content, "![")).To(Equal(2))
	for _, asked := range r.requests["router"] {
		Expect(asked.Text).To(ContainSubstring("用户的要求：" + sampleRequest + "\n"))
	}
	part, _, _ := strings.Cut(at, " ")
	owner := map[string]string{"search": "research", "paint": "image_agent"}
	if o, ok := owner[part]; ok {
		part = o
	}
	before := map[string]bool{}
	for _, call := range callOrder[:slices.Index(callOrder, at)] {
		name, _, _ := strings.Cut(call, " ")
		before[name] = true
	}
	for name := range before {
		switch {
		case name == "router", name == part, part == "research" && name == "search":
		case name == "paint" && part == "image_agent":
			Expect(r.calls["paint"]).To(BeNumerically("<=", 1), "only a missing image is painted")
		default:
			Expect(slices.Collect(maps.Keys(r.calls))).NotTo(ContainElement(name), "%s was complete", name)
		}
	}
}

var _ = Describe("31.4: A newsroom that stops while it works", func() {
	It("makes all calls of the list if it does not stop", func() {
		r := newResumable(nil)
		reply, err := r.say(sampleRequest)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.AnsweredBy).To(Equal("END"))
		want := map[string]int{}
		for _, call := range callOrder {
			name, _, _ := strings.Cut(call, " ")
			want[name]++
		}
		Expect(r.calls).To(Equal(want))
	})

	for _, at := range callOrder {
		It("by a canceled turn at "+at+" resumes there with 继续", func() {
			r := newResumable(nil)
			r.stopAt = at
			_, err := r.say(sampleRequest)
			Expect(err).To(MatchError(context.Canceled))
			r.expectResumed(at)
		})

		if strings.HasPrefix(at, "router ") && at != callOrder[0] {
			continue // the canceled turns cover these
		}
		It("by SIGKILL at "+at+" resumes there with 继续 in another process", func() {
			path := filepath.Join(GinkgoT().TempDir(), "threads.db")
			child := exec.Command(os.Args[0], "-test.run=^TestNewsroom$")
			child.Env = append(os.Environ(), killedStore+"="+path, killedAt+"="+at)
			output, err := child.CombinedOutput()
			Expect(err).To(MatchError("signal: killed"), string(output))
			threads, err := newsroom.OpenFileStore(path)
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(threads.Close)
			newResumable(threads).expectResumed(at)
		})
	}

	It("keeps what is done for a change of the unfinished post", func() {
		for _, change := range []string{"标题再短一点", "make a shorter title", "换个题目"} {
			r := newResumable(nil)
			r.stopAt = "writer 1"
			_, err := r.say(sampleRequest)
			Expect(err).To(MatchError(context.Canceled))
			r.stopAt, r.requests = "", map[string][]model.Request{}
			_, err = r.say(change)
			Expect(err).NotTo(HaveOccurred())
			Expect(r.requests["router"][0].Text).To(And(HavePrefix("用户的要求："+change+"\n"),
				ContainSubstring("- creativeBrief: done")))
		}
	})

	It("resumes if the user repeats the request", func() {
		r := newResumable(nil)
		r.stopAt = "writer 1"
		_, err := r.say(sampleRequest)
		Expect(err).To(MatchError(context.Canceled))
		r.stopAt = ""
		_, err = r.say(sampleRequest)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.calls["brief"]).To(Equal(1))
		Expect(r.calls["layout"]).To(Equal(1))
	})

	It("keeps the answer to a question that the user has given", func() {
		r := newResumable(nil)
		r.replies["brief"] = questionAnswers("audience", briefed, briefed)
		asked, err := r.say(sampleRequest)
		Expect(err).NotTo(HaveOccurred())
		Expect(asked.AnsweredBy).To(Equal("clarification"))
		r.stopAt = "brief 2"
		_, err = r.say("给新手看")
		Expect(err).To(MatchError(context.Canceled))
		r.stopAt = ""
		reply, err := r.say("继续")
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.AnsweredBy).To(Equal("END"))
		Expect(r.requests["writer"][0].Text).To(HavePrefix("用户的要求：" + sampleRequest + "\n用户的回答：给新手看\n"))
	})

	It("adds a further wish to the request, and a new request replaces the unfinished one", func() {
		r := newResumable(nil)
		r.stopAt = "writer 1"
		_, err := r.say(sampleRequest)
		Expect(err).To(MatchError(context.Canceled))
		r.stopAt = "review 1"
		_, err = r.say("继续，标题短一点")
		Expect(err).To(MatchError(context.Canceled))
		Expect(r.requests["writer"][1].Text).To(HavePrefix("用户的要求：" + sampleRequest + "\n用户的回答：继续，标题短一点\n"))
		r.stopAt = ""
		r.requests = map[string][]model.Request{}
		_, err = r.say("写一篇关于茶的笔记")
		Expect(err).NotTo(HaveOccurred())
		first := r.requests["router"][0]
		Expect(first.Text).To(And(HavePrefix("用户的要求：写一篇关于茶的笔记\n"), ContainSubstring("- iteration: 1/15"),
			ContainSubstring("- creativeBrief: missing")))
		Expect(first.Messages[1].Text).To(Equal(sampleRequest))
		Expect(first.Messages[len(first.Messages)-2].Text).To(Equal("（这条消息还没有得到回答。）"))
	})

	It("resumes after its limit of decisions or a failing supervisor ended the work", func() {
		for _, faults := range []string{"", "router:auth"} {
			r := newResumable(nil)
			r.stopAt = "writer 1"
			_, err := r.say(sampleRequest)
			Expect(err).To(MatchError(context.Canceled))
			r.stopAt = ""
			resume := r.decides
			if r.decides = script("poet_agent"); faults != "" {
				r.decides = func(model.Request) model.Answer {
					return model.Answer{ErrorResponse: &model.ErrorResponse{Status: 401}}
				}
			}
			reply, err := r.say("继续")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal("exhausted"))
			r.decides = resume
			r.expectResumed("writer 1")
		}
	})
})

var _ = DescribeTable("31.4: A message asks to resume unfinished work",
	func(text string, resumes bool, remark string) {
		ok, more := newsroom.Continuation(text)
		Expect(ok).To(Equal(resumes))
		Expect(more).To(Equal(remark))
	},
	Entry(nil, "继续", true, ""),
	Entry(nil, "好的，请继续吧！", true, ""),
	Entry(nil, "接着写", true, ""),
	Entry(nil, "继续刚才没写完的那篇", true, ""),
	Entry(nil, "再试一次", true, ""),
	Entry(nil, "Continue", true, ""),
	Entry(nil, "ok, please go on", true, ""),
	Entry(nil, "Carry on with the post, thanks", true, ""),
	Entry(nil, "pls resume", true, ""),
	Entry(nil, "resume where you left off", true, ""),
	Entry(nil, "try again", true, ""),
	Entry(nil, "继续上次的文章", true, ""),
	Entry(nil, "接上次的文章继续写", true, ""),
	Entry(nil, "上次那篇继续写下去吧", true, ""),
	Entry(nil, "继续我的草稿", true, ""),
	Entry(nil, "我想把上次没写完的稿子写完", true, ""),
	Entry(nil, "resume my draft", true, ""),
	Entry(nil, "I’d like to finish my last post", true, ""),
	Entry(nil, "let's pick up where we left off", true, ""),
	Entry(nil, "Continue where we left off", true, ""),
	Entry(nil, "Thanks, please go back to the previous article", true, ""),
	Entry("with a further wish", "继续上次的文章，标题短一点", true, "继续上次的文章，标题短一点"),
	Entry("with a further wish", "继续，但是标题短一点", true, "继续，但是标题短一点"),
	Entry("with a further wish", "continue, but make it shorter", true, "continue, but make it shorter"),
	Entry("not as a part of another request", "写一篇关于继续教育的文章", false, ""),
	Entry("not as a part of another request", "Resume tips for graduates", false, ""),
	Entry("not as a part of another request", "a post about how to carry on after a loss", false, ""),
	Entry("not as a part of another request", "A complete guide to tea", false, ""),
	Entry("not as a part of another request", "Back to school outfits", false, ""),
	Entry("not as a part of another request", "写完美早餐的笔记", false, ""),
	Entry("not as a longer word", "continued education, one picture", false, ""),
	Entry("not without it", "标题再短一点", false, ""),
	Entry("not without text", "", false, ""),
)
