package intent_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter/intent"
)

// publicData is the environment variable with the directory of the public datasets (make
// public-data). It contains one directory for each dataset.
const publicData = "EVALCTL_PUBLIC_DATA"

type public struct {
	Text  string `json:"text"`
	Label string `json:"label"`
}

// readPublic returns the texts of a file of a public dataset, such as route4/dev. It skips the test
// if the dataset is absent.
func readPublic(name string) (texts []public) {
	GinkgoHelper()
	folder := os.Getenv(publicData)
	if folder == "" {
		Skip(publicData + " names no folder with the public sets")
	}
	file, err := os.Open(filepath.Join(folder, name+".jsonl"))
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(file.Close)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var p public
		Expect(json.Unmarshal(lines.Bytes(), &p)).To(Succeed())
		texts = append(texts, p)
	}
	Expect(texts).NotTo(BeEmpty())
	return texts
}

var _ = Describe("T4: public texts", func() {
	DescribeTable("are recognized as requests for an image after a request verb, at least 99 of 100",
		func(set, verb string) {
			var lost []string
			texts := readPublic(set)
			for _, t := range texts {
				if _, ok := intent.DetectImageGen(verb + t.Text); !ok {
					lost = append(lost, t.Text)
				}
			}
			Expect(len(lost)).To(BeNumerically("<=", len(texts)/100), "%q", lost)
		},
		Entry("image descriptions of ERNIE-ViLG after 帮我画", "vilg_zh/dev", "帮我画"),
		Entry("image descriptions of ERNIE-ViLG after 请画", "vilg_zh/dev", "请画"),
		Entry("image descriptions of ERNIE-ViLG after 生成", "vilg_zh/dev", "生成"),
		Entry("image descriptions of PartiPrompts after \"draw\"", "parti_prompts/dev", "draw "),
		Entry("image descriptions of PartiPrompts after \"Could you please draw\"", "parti_prompts/dev",
			"Could you please draw "),
	)
	It("T4: are not recognized as requests for an image if they are from chats", func() {
		for _, t := range readPublic("route4/dev") {
			if t.Label == "chat" {
				_, ok := intent.DetectImageGen(t.Text)
				Expect(ok).To(BeFalse(), t.Text)
			}
		}
	})

	It("31.10: are not searched for if they are from chats, except for at most 4", func() {
		var searched []string
		for _, t := range readPublic("route4/dev") {
			if _, ok := intent.DetectWebSearch(t.Text); ok && t.Label == "chat" {
				searched = append(searched, t.Text)
			}
		}
		Expect(len(searched)).To(BeNumerically("<=", 4), "%q", searched)
	})
	DescribeTable("31.10: are recognized as questions for a web search by their subject",
		func(file, label string, share float64) {
			var found, all float64
			for _, t := range readPublic(file) {
				if t.Label == label {
					all++
					if _, ok := intent.DetectWebSearch(t.Text); ok {
						found++
					}
				}
			}
			Expect(found/all).To(BeNumerically(">=", share), "%g of %g", found, all)
		},
		Entry("Chinese questions about the weather", "massive_zh_cn/train", "weather_query", 0.75),
		Entry("Chinese questions about exchange rates", "massive_zh_cn/train", "qa_currency", 0.8),
		Entry("Chinese questions about stocks", "massive_zh_cn/train", "qa_stock", 0.7),
		Entry("Chinese questions about news", "massive_zh_cn/train", "news_query", 0.6),
		Entry("English questions about the weather", "clinc150/train", "weather", 0.85),
		Entry("English questions about the traffic", "clinc150/train", "traffic", 0.85),
		Entry("English questions about flights", "clinc150/train", "flight_status", 0.7),
		Entry("English questions about exchange rates", "clinc150/train", "exchange_rate", 0.8),
	)
})
