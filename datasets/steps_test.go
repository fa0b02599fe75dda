package datasets_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/datasets"
)

// desk returns the schema of a system that decides several times per turn and accepts batches of
// messages.
func desk() datasets.Schema {
	list := func(raw json.RawMessage) error {
		if len(raw) == 0 || raw[0] != '[' {
			return errors.New("must be a list\nof grades")
		}
		return nil
	}
	days := func(list []string) error {
		for _, one := range list {
			if one != "monday" {
				return fmt.Errorf("%q is no\nday", one)
			}
		}
		return nil
	}
	return datasets.Schema{Target: "desk", Contract: system.Contract{
		LabelField: "next", Labels: []string{"draft", "check", "END"}, OtherRoutes: []string{"failed"},
		DecisionPathField: "path", ExtraLabelFields: []string{"back"}, AllowBatch: true, Slots: []string{"day", "word"},
		RetrievalField:  "found",
		ValueChecks:     map[string]func([]string) error{"day": days, "found": days},
		SimulatedFields: map[string]func(json.RawMessage) error{"grades": list, "asks": nil},
		StateFields:     map[string]func(json.RawMessage) error{"brief": list, "title": nil},
	}}
}

// deskCase returns a case for the system desk with this input.
func deskCase(input string) string {
	return `{"id":"a","input":` + input + `,"expect":{"next":"draft"}}`
}

// deskExpecting returns a case for the system desk with these fields in its expect object.
func deskExpecting(expect string) string {
	return `{"id":"a","input":{"text":"x"},"expect":{"next":"draft",` + expect + `}}`
}

const deskLabels = "(known: draft, check, END)"

var _ = DescribeTable("an invalid line for a system with several decisions per turn is rejected with an error that names the field",
	func(line, message string) {
		_, err := desk().ParseCase([]byte(line))
		Expect(err).To(MatchError(message))
	},
	// Invalid batches of messages.
	Entry(nil, deskCase(`{"batch":[]}`), `input.batch: is empty`),
	Entry(nil, deskCase(`{"batch":["在吗"," "]}`), `input.batch[1]: is empty`),
	Entry(nil, deskCase(`{"batch":["在吗",null]}`), `input.batch[1]: is empty`),
	Entry(nil, deskCase(`{"batch":["在吗",7]}`), `input.batch[1]: must be a string, got a number`),
	Entry(nil, deskCase(`{"batch":"在吗"}`), `input.batch: must be a list, got a string`),
	Entry(nil, deskCase(`{"batch":["在吗","x"],"text":"在吗x"}`),
		`input.text: is not the batch, joined by spaces: leave it out`),
	Entry(nil, deskCase(`{"batch":[`+strings.Repeat(`"x",`, 100)+`"x"]}`), `input.batch: has more than 100 messages`),

	// Invalid state.
	Entry(nil, deskCase(`{"text":"x","state":{"colour":1}}`), `input.state.colour: unknown key (known: brief, title)`),
	Entry(nil, deskCase(`{"text":"x","state":{"brief":{}}}`), `input.state.brief: must be a list?of grades`),

	// Invalid paths.
	Entry(nil, deskExpecting(`"path":"draft"`), `expect.path: must be a list of labels, got a string`),
	Entry(nil, deskExpecting(`"path":[]`), `expect.path: is an empty list`),
	Entry(nil, deskExpecting(`"path":["draft","sing"]`), `expect.path[1]: unknown label sing `+deskLabels),
	Entry(nil, deskExpecting(`"path":["draft",["check","sing"]]`), `expect.path[1]: unknown label sing `+deskLabels),
	Entry(nil, deskExpecting(`"path":["draft",[]]`), `expect.path[1]: is an empty list`),
	Entry(nil, deskExpecting(`"path":[null]`), `expect.path[0]: must be a label or a list of labels, got null`),
	Entry(nil, deskExpecting(`"path":["END"]`), `expect.path[0]: has no label of next`),
	Entry(nil, deskExpecting(`"path":[["check","END"],"draft"]`), `expect.path[0]: has no label of next`),
	Entry(nil, deskExpecting(`"path":[`+strings.Repeat(`"draft",`, 100)+`"END"]`),
		`expect.path: has more than 100 steps`),

	// Invalid values of slots and search results.
	Entry(nil, deskExpecting(`"slots":{"day":"today"}`), `expect.slots.day: "today" is no?day`),
	Entry(nil, deskExpecting(`"slots":{"day":["monday","today"]}`), `expect.slots.day: "today" is no?day`),
	Entry(nil, deskExpecting(`"found":["today"]`), `expect.found: "today" is no?day`),

	// Invalid further labels and simulated data.
	Entry(nil, deskExpecting(`"back":"failed"`), `expect.back: unknown label failed `+deskLabels),
	Entry(nil, deskExpecting(`"back":[]`), `expect.back: is an empty list`),
	Entry(nil, deskExpecting(`"grades":0.5`), `expect.grades: must be a list?of grades`),
	Entry(nil, deskExpecting(`"marks":[]`),
		`expect.marks: unknown field (known: next, answered_by, under_fault, asks, back, found, grades, path, slots)`),
)

var _ = Describe("A line for a system with several decisions per turn", func() {
	It("can have a path with alternatives, further labels, and simulated data", func() {
		_, err := desk().ParseCase(
			[]byte(deskExpecting(`"path":["draft","draft",["check","draft"],"END"],"back":["draft","check"],"grades":[1],"asks":7,"slots":{"day":"monday","word":["a","b"]},"found":["monday"]`)))
		Expect(err).NotTo(HaveOccurred())
	})

	It("can have a path that starts with any accepted label", func() {
		_, err := desk().ParseCase(
			[]byte(`{"id":"a","input":{"text":"x"},"expect":{"next":["draft","check"],"path":[["END","check"]]}}`))
		Expect(err).NotTo(HaveOccurred())
	})

	It("gets the joined messages of its batch as its text, which the line may also state", func() {
		for _, input := range []string{`{"batch":["在吗","昨天聊了啥"]}`, `{"batch":["在吗","昨天聊了啥"],"text":"在吗 昨天聊了啥"}`} {
			c, err := desk().ParseCase([]byte(deskCase(input)))
			Expect(err).NotTo(HaveOccurred())
			Expect(c.Turns[0].Batch).To(Equal([]string{"在吗", "昨天聊了啥"}))
			Expect(c.Turns[0].Text).To(Equal("在吗 昨天聊了啥"))
		}
	})

	It("must not have a batch if the system accepts only single messages, and can have any state if the system declares none", func() {
		_, err := schema().ParseCase([]byte(`{"id":"a","input":{"batch":["x"]},"expect":{"route":"chat"}}`))
		Expect(err).To(MatchError("input.batch: toolrouter takes one message a turn"))
		of := desk()
		of.StateFields = nil
		_, err = of.ParseCase([]byte(deskCase(`{"text":"x","state":{"any":1}}`)))
		Expect(err).NotTo(HaveOccurred())
		of.StateFields = map[string]func(json.RawMessage) error{}
		_, err = of.ParseCase([]byte(deskCase(`{"text":"x","state":{"brief":[]}}`)))
		Expect(err).To(MatchError("input.state.brief: unknown key (known: none)"))
	})
})
