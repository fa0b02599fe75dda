package main

import (
	"flag"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// update is a flag that copies the code blocks of the English README to the Chinese one.
var update = flag.Bool("update", false, "write the code blocks of README.zh-CN.md anew, from README.md")

// codeSpan matches inline code.
var codeSpan = regexp.MustCompile("`[^`\n]+`")

var _ = Describe("the Chinese README", func() {
	const ours, theirs = "../../README.zh-CN.md", "../../README.md"

	// languages returns the languages of code blocks in order.
	languages := func(blocks []codeBlock) (list []string) {
		for _, b := range blocks {
			list = append(list, strings.TrimSpace(b.language+" "+b.file))
		}
		return list
	}

	It("has the code blocks of the English README, whose test runs them", func() {
		text, want := read(ours), blocksOf(read(theirs))
		if *update && slices.Equal(languages(blocksOf(text)), languages(want)) {
			at := 0
			text = fence.ReplaceAllStringFunc(text, func(string) string {
				at++
				return "```" + languages(want)[at-1] + "\n" + want[at-1].text + "```"
			})
			write(ours, text)
		}
		got := blocksOf(text)
		Expect(languages(got)).To(Equal(languages(want)))
		for i := range want {
			Expect(got[i].text).To(Equal(want[i].text), "make golden takes over block %d", i)
		}
	})

	It("names every flag, file and metric that the English README names", func() {
		// Only in text: the code blocks are identical.
		spans := func(path string) []string {
			return codeSpan.FindAllString(fence.ReplaceAllString(read(path), ""),
				-1)
		}
		known := spans(ours)
		for _, span := range spans(theirs) {
			Expect(known).To(ContainElement(span))
		}
	})
})
