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
// public-data). It contains one directory with a dev.jsonl for each dataset.
const publicData = "EVALCTL_PUBLIC_DATA"

type public struct {
	Text  string `json:"text"`
	Label string `json:"label"`
}

// readPublic returns the texts of a public dataset. It skips the test if the dataset is absent.
func readPublic(name string) (texts []public) {
	GinkgoHelper()
	folder := os.Getenv(publicData)
	if folder == "" {
		Skip(publicData + " names no folder with the public sets")
	}
	file, err := os.Open(filepath.Join(folder, name, "dev.jsonl"))
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
		Entry("image descriptions of ERNIE-ViLG after 帮我画", "vilg_zh", "帮我画"),
		Entry("image descriptions of ERNIE-ViLG after 请画", "vilg_zh", "请画"),
		Entry("image descriptions of ERNIE-ViLG after 生成", "vilg_zh", "生成"),
		Entry("image descriptions of PartiPrompts after \"draw\"", "parti_prompts", "draw "),
		Entry("image descriptions of PartiPrompts after \"Could you please draw\"", "parti_prompts",
			"Could you please draw "),
	)
	It("T4: are not recognized as requests for an image if they are from chats", func() {
		for _, t := range readPublic("route4") {
			if t.Label == "chat" {
				_, ok := intent.DetectImageGen(t.Text)
				Expect(ok).To(BeFalse(), t.Text)
			}
		}
	})
})
