package studio_test

import (
	"encoding/json"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/studio"
)

func conforms(component string) {
	GinkgoHelper()
	Expect(against(component)).To(Succeed())
}

var schema = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(studio.ComponentSchema(), &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
})

func against(component string) error {
	r, err := schema()
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal([]byte(component), &v); err != nil {
		return err
	}
	return r.Validate(v)
}

var _ = Describe("S6: The JSON schema of UI components", func() {
	DescribeTable("accepts each of the three components", func(c string) { conforms(c) },
		Entry(nil, `{"widgetType":"SmartCanvas","props":{"imageUrl":"https://a.example/1.png","mode":"view"}}`),
		Entry(nil, `{"widgetType":"ActionPanel","props":{"actions":[{"id":"regenerate_btn","label":"重新生成","type":"button"}]}}`),
		Entry(nil, `{"widgetType":"AgentMessage","props":{"state":"success","text":"好了","isThinking":false}}`),
	)

	DescribeTable("rejects an invalid component", func(c string) { Expect(against(c)).NotTo(Succeed()) },
		Entry("an unknown component", `{"widgetType":"Carousel","props":{}}`),
		Entry("a component without its type", `{"props":{"imageUrl":"u","mode":"view"}}`),
		Entry("a canvas without an image", `{"widgetType":"SmartCanvas","props":{"mode":"view"}}`),
		Entry("a canvas with an empty URL", `{"widgetType":"SmartCanvas","props":{"imageUrl":"","mode":"view"}}`),
		Entry("a canvas with an unknown mode", `{"widgetType":"SmartCanvas","props":{"imageUrl":"u","mode":"edit"}}`),
		Entry("a component with the properties of another one",
			`{"widgetType":"SmartCanvas","props":{"state":"success","text":"t","isThinking":false}}`),
		Entry("a component with an additional property",
			`{"widgetType":"SmartCanvas","props":{"imageUrl":"u","mode":"view","zoom":2}}`),
		Entry("a component with an additional field",
			`{"widgetType":"SmartCanvas","props":{"imageUrl":"u","mode":"view"},"id":1}`),
		Entry("a panel without buttons", `{"widgetType":"ActionPanel","props":{"actions":[]}}`),
		Entry("a button without a label",
			`{"widgetType":"ActionPanel","props":{"actions":[{"id":"a","type":"button"}]}}`),
		Entry("a message with an unknown state",
			`{"widgetType":"AgentMessage","props":{"state":"sad","text":"t","isThinking":false}}`),
		Entry("a message with an empty text",
			`{"widgetType":"AgentMessage","props":{"state":"failed","text":"","isThinking":false}}`),
	)
})
