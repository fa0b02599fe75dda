package datasets_test

import (
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

func decode(line string) eval.Case {
	c, err := schema().ParseCase([]byte(line))
	Expect(err).NotTo(HaveOccurred())
	return c
}

var _ = Describe("A line of a dataset file", func() {
	It("can have the short form, with a text and a label", func() {
		c := decode(`{"id":"a","text":"画只猫","label":"image_gen","split":"dev","now":"2026-11-20T10:00:00+08:00"}`)
		Expect(c.ID).To(Equal("a"))
		Expect(c.Split).To(Equal("dev"))
		Expect(c.Turns).To(HaveLen(1))
		Expect(c.Turns[0].Text).To(Equal("画只猫"))
		Expect(c.Turns[0].Expected).To(MatchJSON(`{"route":"image_gen"}`))
		Expect(c.Pos).To(BeEmpty())
	})

	It("in the short form, becomes a case whose further fields are tags, in the order of the fields", func() {
		c := decode(`{"id":"a","text":"x","label":["chat","web_search"],"tags":["hard"],"lang":"zh","ok":true,"at":"b\"c","none":null}`)
		Expect(c.Tags).To(Equal([]string{"hard", `at:b"c`, "lang:zh", "ok:true"}))
		Expect(c.Turns[0].Expected).To(MatchJSON(`{"route":["chat","web_search"]}`))
	})

	It("can have the full form, with history, documents and an expectation under a fault", func() {
		c := decode(`{"id":"tr-0001","input":{"text":"再来一张","history":[{"role":"user","content":"画"},
			{"role":"assistant","content":"","generated_image_url":"https://a/b.png"}],"images":["data:image/png;base64,AA=="],"mask":null,
			"documents":[{"name":"a.txt","content":""}],"state":{"time_zone":"UTC"},"options":{"agent":false}},
			"now":"2026-11-20T10:00:00+08:00","expect":{"route":"image_gen","answered_by":["chat"],"under_fault":{"image:timeout":"chat"}},
			"tags":["zh","rule:image.3"],"split":"test"}`)
		Expect(c.Turns).To(HaveLen(1))
		Expect(c.Turns[0].History[1].GeneratedImageURL).To(Equal("https://a/b.png"))
		Expect(c.Turns[0].Options).To(HaveKeyWithValue("agent", json.RawMessage("false")))
		Expect(c.Turns[0].State).To(HaveKeyWithValue("time_zone", json.RawMessage(`"UTC"`)))
		Expect(c.Tags).To(Equal([]string{"zh", "rule:image.3"}))
	})

	It("can have several turns, some of them without an expectation", func() {
		c := decode(`{"id":"a","turns":[{"input":{"text":"嗨"}},{"input":{"text":"画"},"expect":{"route":"image_gen"}},
			{"input":{"text":"谢谢"},"expect":null}]}`)
		Expect(c.Turns).To(HaveLen(3))
		Expect(c.Turns[0].Expected).To(BeNil())
		Expect(c.Turns[1].Expected).To(MatchJSON(`{"route":"image_gen"}`))
		Expect(c.Turns[2].Expected).To(BeNil())
	})

	DescribeTable("keeps the time and the UTC offset of the field now, but no local time zone",
		func(now, want string, offset int) {
			machine := time.Local
			DeferCleanup(func() { time.Local = machine })
			time.Local = time.FixedZone("CST", 8*3600)
			c := decode(`{"id":"a","text":"x","label":"chat","now":"` + now + `"}`)
			Expect(c.Now.Format(time.RFC3339)).To(Equal(want))
			_, got := c.Now.Zone()
			Expect(got).To(Equal(offset))
			Expect(c.Now.Location().String()).To(BeElementOf("", "UTC"))
			Expect(c.Now.Location()).NotTo(BeIdenticalTo(time.Local))
		},
		Entry(nil, "2026-11-20T10:00:00+08:00", "2026-11-20T10:00:00+08:00", 8*3600),
		Entry(nil, "2026-11-20T10:00:00-05:00", "2026-11-20T10:00:00-05:00", -5*3600),
		Entry(nil, "2026-11-20T10:00:00+00:00", "2026-11-20T10:00:00Z", 0),
		Entry(nil, "2026-11-20T10:00:00Z", "2026-11-20T10:00:00Z", 0),
	)

	It("gets a hash of its own content", func() {
		one, other := decode(`{"id":"a","text":"x","label":"chat"}`), decode(`{"id":"a","text":"y","label":"chat"}`)
		Expect(one.LineHash).To(HaveLen(16))
		Expect(one.LineHash).NotTo(Equal(other.LineHash))
	})
})
