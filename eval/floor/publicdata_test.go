package floor_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval/floor"
	"evalctl/eval/stats"
)

// publicData is the environment variable with the directory of the public data sets. Each data set
// has its own directory with the file train.jsonl (see make public-data).
const publicData = "EVALCTL_PUBLIC_DATA"

// readPublic reads a public data set without the label without. It skips the test if there is no
// data set.
func readPublic(name, without string) (list []system.LabeledExample) {
	GinkgoHelper()
	folder := os.Getenv(publicData)
	if folder == "" {
		Skip(publicData + " names no folder with the public sets")
	}
	file, err := os.Open(filepath.Join(folder, name, "train.jsonl"))
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(file.Close)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var e system.LabeledExample
		Expect(json.Unmarshal(lines.Bytes(), &e)).To(Succeed())
		if e.Label != without {
			list = append(list, e)
		}
	}
	Expect(list).NotTo(BeEmpty())
	return list
}

// parts is the number of cross-validation folds.
const parts = 5

type heldOutScores struct {
	right, n        int64
	calibration     stats.Calibration
	size            floor.ModelSize
	learning, asked time.Duration
}

// crossValidate predicts the labels of each fold with a model that was trained on the other folds.
func crossValidate(kind floor.Kind, list []system.LabeledExample) (o heldOutScores) {
	GinkgoHelper()
	part, seen := make([]int, len(list)), map[string]int{}
	for i, e := range list {
		part[i] = seen[e.Label] % parts
		seen[e.Label]++
	}
	for p := range parts {
		var learned, asked []system.LabeledExample
		for i, e := range list {
			if part[i] == p {
				asked = append(asked, e)
			} else {
				learned = append(learned, e)
			}
		}
		o.play(kind, learned, asked)
	}
	return o
}

func (o *heldOutScores) play(kind floor.Kind, learned, asked []system.LabeledExample) {
	GinkgoHelper()
	begin := time.Now()
	m, err := floor.Train(kind, learned)
	Expect(err).NotTo(HaveOccurred())
	o.learning += time.Since(begin)
	o.size = m.Size()
	begin = time.Now()
	for _, e := range asked {
		label, confidence := m.Predict(e.Text)
		o.calibration.Add(confidence, label == e.Label)
		o.n++
		if label == e.Label {
			o.right++
		}
	}
	o.asked += time.Since(begin)
}

func (o heldOutScores) accuracy() float64 { return 100 * float64(o.right) / float64(o.n) }

func (o heldOutScores) String() string {
	lo, hi := stats.Wilson(o.right, o.n, 0.95)
	ece, _ := o.calibration.ECE(15)
	return fmt.Sprintf("%.1f %% (%.1f to %.1f, n = %d), calibration error %.1f %%, %d features, %.1f MiB, %.2f s to learn, %.0f µs a decision",
		o.accuracy(), 100*lo, 100*hi, o.n, 100*ece, o.size.Features, float64(o.size.Bytes)/(1<<20),
		o.learning.Seconds()/parts, float64(o.asked.Microseconds())/float64(o.n))
}

var _ = Describe("public training sets, cross-validated", func() {
	DescribeTable("are labeled by the linear model almost as accurately as by fine-tuned transformers",
		func(set, without, published string, least float64) {
			list := readPublic(set, without)
			for _, kind := range floor.Kinds() {
				o := crossValidate(kind, list)
				fmt.Printf("%s, %s: %s; published: %s\n", set, kind, o, published)
				if kind == floor.Linear {
					Expect(o.accuracy()).To(BeNumerically(">=", least), set)
				}
			}
		},
		Entry("CLINC150 in scope", "clinc150", "oos", "96.9 with BERT", 94.5),
		Entry("BANKING77", "banking77", "", "93.7", 89.5),
		Entry("HWU64", "hwu64", "", "none cited", 87.0),
		Entry("MASSIVE zh-CN", "massive_zh_cn", "", "none cited", 82.5),
	)
})
