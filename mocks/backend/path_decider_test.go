package backend_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval/floor"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

var _ = Describe("A simulated router that makes several decisions per turn", func() {
	const path = `{"next":["write","check"],"path":[["write","check"],"paint",["check","paint"],"end"]}`
	// state returns the router's prompt after the given number of finished steps.
	state := func(text string, done int) message { return user(text + "\nJSON " + strings.Repeat("✓", done)) }

	It("returns the next decision that the turn expects, or the turn's label if it expects only one", func() {
		s := correctServer(turn("画一张海报", path), turn("再写一段文字吧", `{"next":"check"}`))
		for done, label := range []string{"write", "paint", "check", "end", "end"} {
			Expect(ask(s, "router", nil, state("画一张海报", done)).decided()).To(Equal(label))
		}
		Expect(ask(s, "router", nil, state("再写一段文字吧", 0)).decided()).To(Equal("check"))
		Expect(ask(s, "router", nil, user("?")).decided()).To(Equal("check"), "of the turn that is under way")
	})

	It("returns the fallback label if there is no case", func() {
		Expect(ask(correctServer(), "router", nil, user("?")).decided()).To(Equal("end"))
	})

	It("has the configured accuracy in each step, and its wrong answers are never accepted labels",
		Label("figures", "long"), func() {
			const n, accuracy = 400, 0.7
			count := make([]map[string]int, 4)
			for step := range count {
				count[step] = map[string]int{}
			}
			both, first, second := 0, 0, 0
			for i := range n {
				t := trial(turn("画一张海报", path))
				t.Case.ID = fmt.Sprint(i)
				s := server(desk(), backend.Answers(desk(), t, suite.Simulated{Accuracy: new(accuracy)}), "")
				var got []string
				for step := range count {
					got = append(got, ask(s, "router", nil, state("画一张海报", step)).decided())
					count[step][got[step]]++
				}
				if got[0] == "write" {
					first++
				}
				if got[1] == "paint" {
					second++
				}
				if got[0] == "write" && got[1] == "paint" {
					both++
				}
			}
			for step, label := range []string{"write", "paint", "check", "end"} {
				Expect(float64(count[step][label])/n).To(BeNumerically("~", accuracy, 0.06), label)
			}
			Expect(count[0]).NotTo(HaveKey("check"), "it is right, too")
			Expect(count[2]).NotTo(HaveKey("paint"))
			Expect(float64(both)/n).To(BeNumerically("~", float64(first)*float64(second)/n/n, 0.06),
				"steps are independent of each other")
		})

	It("may answer a repeated request differently, but equally in every run", func() {
		again := func() (answers []string) {
			s := server(desk(), backend.Answers(desk(), trial(turn("画一张海报", path)),
				suite.Simulated{Accuracy: new(0.5)}), "")
			for range 20 {
				answers = append(answers, ask(s, "router", nil, state("画一张海报", 0)).decided())
			}
			return answers
		}
		Expect(again()).To(Equal(again()))
		Expect(again()).To(And(ContainElement("write"), ContainElement(Not(Equal("write")))))
	})

	It("derives the next decision from the conversation if the caller is unknown", func() {
		s := server(desk(), backend.OverWire(desk(), map[string]json.RawMessage{"画一张海报": json.RawMessage(path)}), "")
		Expect(ask(s, "router", nil, state("画一张海报", 1)).decided()).To(Equal("paint"))
		Expect(ask(s, "router", nil, user("画一张海报"), user("✓✓✓")).decided()).To(Equal("end"))
		Expect(ask(s, "router", nil, user("?")).decided()).To(Equal("end"))
	})

	It("is described in the report's note as independent of the prompt", func() {
		Expect(backend.Describe(desk(), suite.Simulated{Behavior: "labeled"})).
			To(HaveSuffix("labeled, accuracy 1, whatever the prompt"))
	})
})

var _ = Describe("the fault fallback_label", func() {
	It("changes only the label of a decision to the fallback label", func() {
		of := desk()
		of.SimulateNextDecision = nil
		of.AnswerFormat = func(system.SettingValues) system.AnswerFormat {
			return system.AnswerFormat{LabelName: func(label string) string { return strings.ToUpper(label) },
				ExtraFields: func(text string,
					_ map[string]string) map[string]any {
					return map[string]any{"about": text}
				}}
		}
		turns := trial(turn("画一张海报", `{"next":"write"}`))
		sure := suite.Simulated{Accuracy: new(0.9)}
		whole, affected := server(of, backend.Answers(of, turns, sure), ""),
			server(of, backend.Answers(of, turns, sure), "router:fallback_label@2")
		for nth := 1; nth <= 3; nth++ {
			var defaultValue, said map[string]any
			Expect(json.Unmarshal([]byte(ask(whole, "router", nil, user("画一张海报")).Content), &defaultValue)).
				To(Succeed())
			Expect(json.Unmarshal([]byte(ask(affected, "router", nil, user("画一张海报")).Content), &said)).To(Succeed())
			Expect(defaultValue).To(HaveKeyWithValue("next", "WRITE"))
			if nth == 2 {
				Expect(said).To(HaveKeyWithValue("next", "END"))
				said["next"] = "WRITE"
			}
			Expect(said).To(Equal(defaultValue), "confidence, reason and fields are the usual ones")
		}
		Expect(affected.Log()[1].Faults).To(Equal([]string{"router:fallback_label@2"}))
	})

	It("is rejected for a scripted model, which has no labels", func() {
		s := suiteWithRouter("behavior: scripted, script: " + filepath.Join(GinkgoT().TempDir(), "s.yaml"))
		Expect(os.WriteFile(s.Models["router"].Script, []byte("default: {content: x}\n"), 0o600)).To(Succeed())
		s.Faults = []string{"router:fallback_label@1"}
		_, err := backend.New(backend.Config{Suite: s})
		Expect(err).To(MatchError(
			`faults: fault "router:fallback_label@1": router says what its script says, whatever the labels`))
	})

	It("also affects a server for unknown callers", func() {
		s := server(desk(), backend.OverWire(desk(),
			map[string]json.RawMessage{"画一张海报": json.RawMessage(`{"next":"write"}`)}), "router:fallback_label@2")
		for _, label := range []string{"write", "end", "write"} {
			Expect(ask(s, "router", nil, user("画一张海报")).decided()).To(Equal(label))
		}
	})
})

var _ = Describe("Slots that the answer format nests in a further field", func() {
	of := desk()
	of.SimulateNextDecision, of.Contract.Slots = nil, []string{"topic"}
	of.AnswerFormat = func(system.SettingValues) system.AnswerFormat {
		return system.AnswerFormat{SlotsInExtra: true,
			ExtraFields: func(_ string, slots map[string]string) map[string]any {
				return map[string]any{"params": map[string]string{"t": slots["topic"]}}
			}}
	}
	said := func(slots float64) string {
		t := trial(turn("画一张海报", `{"next":"write","slots":{"topic":["海报","poster"]}}`))
		s := server(of, backend.Answers(of, t, suite.Simulated{SlotAccuracy: new(slots)}), "")
		return ask(s, "router", nil, user("画一张海报")).Content
	}

	It("are written by a baseline model, too", func() {
		m, err := floor.CrossFit("majority",
			[]system.LabeledExample{{Text: "画", Label: "write"}, {Text: "写", Label: "write"},
				{Text: "查", Label: "check"}})
		Expect(err).NotTo(HaveOccurred())
		Expect(backend.Learned(of, m, "画")).
			To(And(ContainSubstring(`"params":{"t":""}`), Not(ContainSubstring("topic"))))
	})

	It("have the configured slot accuracy and are not repeated next to the label", func() {
		Expect(said(1)).To(And(ContainSubstring(`"params":{"t":"海报"}`), Not(ContainSubstring("topic"))))
		Expect(said(0)).To(And(ContainSubstring(`"params":{"t":""}`), Not(ContainSubstring("topic"))))
	})
})
