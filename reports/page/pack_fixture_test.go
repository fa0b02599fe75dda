package page_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/runs"
	"evalctl/reports/page"
)

// shape describes a generated run: its size and the length of its texts.
type shape struct {
	suites, cases, epochs int
	variants, faults      []string
	long                  int // length of a reply in characters
}

func small() shape {
	return shape{suites: 2, cases: 40, epochs: 2, variants: []string{"first", "second", "third"},
		faults: []string{"router:timeout", "chat:timeout"}, long: 120}
}

func (s shape) summary() (sum eval.Summary) {
	for i := range s.suites {
		of := eval.SuiteSummary{Name: fmt.Sprintf("suite%d", i), Target: "target", Cases: int64(s.cases),
			Epochs: s.epochs}
		for _, v := range s.variants {
			for _, f := range append([]string{eval.NoFault}, s.faults...) {
				of.Conditions = append(of.Conditions, eval.ConditionSummary{Variant: v, Fault: f})
			}
		}
		sum.Suites = append(sum.Suites, of)
	}
	return sum
}

// each passes the trials of all conditions to add. They are generated with a fixed seed.
func (s shape) each(add func(eval.Result)) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, suite := range s.summary().Suites {
		for of := range s.cases {
			for _, condition := range suite.Conditions {
				for epoch := range s.epochs {
					add(s.result(chance, suite.Name, of, condition, epoch+1))
				}
			}
		}
	}
}

var packedLabels = []string{"chat", "search", "image", ""}

func (s shape) result(chance *rand.Rand, suite string, of int, condition eval.ConditionSummary, epoch int) eval.Result {
	want := packedLabels[of%3]
	got := want
	if chance.IntN(10) == 0 {
		got = packedLabels[chance.IntN(len(packedLabels))]
	}
	r := eval.Result{Suite: suite, Case: fmt.Sprintf("case-%05d", of), Variant: condition.Variant,
		Fault: condition.Fault,
		Epoch: epoch, Text: ask(of),
		Tags: []string{"all", "t" + want}, Predicted: got, Expected: eval.OneOf{want}, AnsweredBy: got,
		DecidedBy: "llm",
		Duration:  eval.Millis(chance.IntN(9_000_000_000)),
		Turns: []eval.TurnSummary{{Answered: true,
			ModelDecision: &agent.ModelDecision{Label: got, Confidence: new(chance.Float64())}}},
		Calls: 2, Tokens: eval.Tokens{In: int64(chance.IntN(900)), Out: 7}}
	r.Cost = new(float64(r.Tokens.In) * 2.7e-7)
	r.Key = fmt.Sprintf("%08x%016x", of, chance.Uint64())
	score := eval.Score{Name: eval.RouteScore, Turn: 1, Actual: got, Expected: r.Expected,
		Verdict: eval.PassIf(got == want)}
	if condition.Fault != eval.NoFault {
		switch chance.IntN(8) {
		case 0:
			r.Error, score.Verdict = &eval.Error{Kind: eval.ProviderError, Message: "gone"}, eval.Unscored
		case 1:
			r.Turns[0].ErrorReply = "BUSY"
		case 2:
			r.Fallbacks = []eval.Fallback{{From: "llm", To: "rules", Reason: "timeout"}}
		}
	}
	r.Scores = []eval.Score{score}
	if score.Verdict != eval.Unscored {
		r.Correct = new(score.Verdict == eval.Pass)
	}
	r.Outcome = eval.Outcome{Duration: time.Duration(r.Duration),
		Turns: []eval.TurnResult{{Input: agent.Turn{Text: ask(of)}, Duration: time.Duration(r.Duration),
			Reply: agent.Reply{Content: packedWords(chance, s.long), Predicted: got, AnsweredBy: got, DecidedBy: "llm"},
			Events: []trace.Event{{Offset: 5e8, Kind: trace.KindSpan, Node: "router",
				Span: &trace.Span{Provider: "p", Model: "m", Duration: 5e8, Attempt: 1}},
				{Offset: 6e8, Kind: trace.KindDone, Text: "x"}}}}}
	return r
}

func ask(of int) string { return fmt.Sprintf("question %d of a user", of) }

// words returns n random words, so that the text does not compress well.
func packedWords(chance *rand.Rand, n int) string {
	var text strings.Builder
	for text.Len() < n {
		text.WriteString(fmt.Sprintf("%x ", chance.Uint32()))
	}
	return text.String()
}

func (s shape) results() (list []eval.Result) {
	s.each(func(r eval.Result) { list = append(list, r) })
	return list
}

// source contains trials in memory by their key.
type source map[string]eval.Result

func sourceOf(list []eval.Result) source {
	s := source{}
	for _, r := range list {
		s[r.Key] = r
	}
	return s
}

func (s source) Trial(key string) (eval.Result, error) {
	if r, ok := s[key]; ok {
		return r, nil
	}
	return eval.Result{}, runs.ErrNoTrace
}

func (s source) Prompts() (map[string]string, error) { return nil, nil }

func packed(sum eval.Summary, list []eval.Result, o page.EncodeOptions, fixed int64) page.Packed {
	GinkgoHelper()
	p := page.NewPacker(sum, o)
	for _, r := range list {
		Expect(p.Add(r)).To(Succeed())
	}
	out, err := p.Pack(fixed, sourceOf(list))
	Expect(err).NotTo(HaveOccurred())
	return out
}

var element = regexp.MustCompile(`^<script type="text/plain" id="d-([a-z]+[0-9]*)">([A-Za-z0-9+/=]*)</script>$`)

// unpacked decodes all parts by name, as the script of a page does.
func unpacked(out page.Packed) map[string][]byte {
	GinkgoHelper()
	var page bytes.Buffer
	n, err := out.WriteTo(&page)
	Expect(err).NotTo(HaveOccurred())
	Expect(n).To(Equal(out.Size()))
	Expect(int64(page.Len())).To(Equal(n))
	parts := map[string][]byte{}
	for _, line := range strings.Split(strings.TrimSuffix(page.String(), "\n"), "\n") {
		m := element.FindStringSubmatch(line)
		Expect(m).NotTo(BeNil(), "%.80q", line)
		zip, err := base64.StdEncoding.DecodeString(m[2])
		Expect(err).NotTo(HaveOccurred())
		r, err := gzip.NewReader(bytes.NewReader(zip))
		Expect(err).NotTo(HaveOccurred())
		Expect(r.ModTime.IsZero()).To(BeTrue())
		text, err := io.ReadAll(r)
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Valid(text)).To(BeTrue())
		parts[m[1]] = text
	}
	return parts
}

func decoded[T any](parts map[string][]byte, name string) (v T) {
	GinkgoHelper()
	d := json.NewDecoder(bytes.NewReader(parts[name]))
	d.DisallowUnknownFields()
	Expect(d.Decode(&v)).To(Succeed(), name)
	return v
}

// tracedIn returns the trials with a trace, each as suite, case, condition and epoch.
func tracedIn(parts map[string][]byte) (list []string) {
	GinkgoHelper()
	meta := decoded[page.Meta](parts, "meta")
	for i := 0; parts[fmt.Sprintf("b%d", i)] != nil; i++ {
		b := decoded[page.Block](parts, fmt.Sprintf("b%d", i))
		s := meta.Suites[b.Suite]
		for of, c := range b.Cases {
			Expect(s.Blocks[of]).To(Equal(i))
			for _, t := range c.Trials {
				condition := s.Conditions[t.Condition]
				list = append(list, name(s.Name, s.Cases[of], condition.Variant, condition.Fault, t.Epoch))
			}
		}
	}
	slices.Sort(list)
	return list
}

func name(suite, of, variant, fault string, epoch int) string {
	return strings.Join([]string{suite, of, variant, fault, fmt.Sprint(epoch)}, "/")
}

func nameOf(r eval.Result) string { return name(r.Suite, r.Case, r.Variant, r.Fault, r.Epoch) }
