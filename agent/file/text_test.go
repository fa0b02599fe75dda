package file_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"evalctl/agent/file"
)

var _ = Describe("31.7: DecodeText", func() {
	const chinese = "# 城市热岛\n\n研究团队在 12 个城市采集了 1,204 幅影像，准确率达到 91.3%。\n"
	encoded := func(e encoding.Encoding, text string) []byte {
		GinkgoHelper()
		raw, err := e.NewEncoder().Bytes([]byte(text))
		Expect(err).NotTo(HaveOccurred())
		return raw
	}

	DescribeTable("reads Chinese text", func(e encoding.Encoding, text string) {
		Expect(file.DecodeText(encoded(e, text))).To(Equal(text))
	},
		Entry("in UTF-8", unicode.UTF8, chinese),
		Entry("in UTF-8 with a byte order mark", unicode.UTF8BOM, chinese),
		Entry("in UTF-16, as Notepad writes it", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), chinese),
		Entry("in big-endian UTF-16", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), chinese),
		Entry("in GBK", simplifiedchinese.GBK, chinese),
		Entry("in GBK, mostly English", simplifiedchinese.GBK, strings.Repeat("The rate is 3%. ", 50)+"共 12 幅。"),
		Entry("in GB18030, with a character of four bytes", simplifiedchinese.GB18030, chinese+"𠮷"),
		Entry("that begins like a picture", unicode.UTF8, "BM25 ranks documents. "+chinese),
		Entry("that begins like a sound", unicode.UTF8, "ID3 builds decision trees. "+chinese),
		Entry("that is empty", unicode.UTF8, ""),
	)

	DescribeTable("refuses other content", func(raw []byte, problem string) {
		_, err := file.DecodeText(raw)
		Expect(err).To(MatchError(ContainSubstring(problem)))
	},
		Entry("a PDF", []byte("%PDF-1.7\n1 0 obj"), "application/pdf"),
		Entry("a Word document", []byte("PK\x03\x04\x14\x00"), "application/zip"),
		Entry("a picture", []byte("\x89PNG\r\n\x1a\n"), "image/png"),
		Entry("bytes with NUL", []byte("text\x00text"), "application/octet-stream"),
		Entry("Latin-1", encoded(charmap.ISO8859_1, "Un été à Besançon, déjà vu"), "UTF-8 or GBK"),
		Entry("Big5", encoded(traditionalchinese.Big5, "研究團隊在十二個城市採集了影像，準確率達到九成一，優於基準模型。"), "UTF-8 or GBK"),
		Entry("Shift JIS", encoded(japanese.ShiftJIS, "これは日本語の文章です。"), "UTF-8 or GBK"),
		Entry("UTF-8 that is cut", []byte(chinese[:len(chinese)-2]), "UTF-8 or GBK"),
	)
})
