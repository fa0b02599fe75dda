package datasets_test

import (
	"io/fs"
	"iter"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

var _ = Describe("Stream", func() {
	set := func() *datasets.Dataset {
		return open(write(
			`{"id":"a","text":"1","label":"chat","split":"dev","tags":["zh","typo"]}`, "\n",
			`{"id":"b","text":"2","label":"chat","split":"test","tags":["zh"]}`, "\n",
			`{"id":"c","text":"3","label":"chat","split":"test","tags":["typo","zh"]}`, "\n"))
	}

	DescribeTable("returns the cases that a filter selects, in file order",
		func(f datasets.Filter, want ...string) { Expect(ids(all(set(), f))).To(Equal(want)) },
		Entry("an empty filter: all cases", datasets.Filter{}, "a", "b", "c"),
		Entry("cases of a split", datasets.Filter{Split: "test"}, "b", "c"),
		Entry("cases that have all of several tags", datasets.Filter{Tags: []string{"zh", "typo"}}, "a", "c"),
		Entry("the first cases up to a limit", datasets.Filter{Limit: 2}, "a", "b"),
		Entry("a limit equal to the number of cases: all cases", datasets.Filter{Limit: 3}, "a", "b", "c"),
		Entry("a negative limit: all cases", datasets.Filter{Limit: -1}, "a", "b", "c"),
		Entry("a limit that applies to the cases with a split and a tag",
			datasets.Filter{Limit: 1, Split: "test", Tags: []string{"typo"}},
			"c"),
	)

	It("can be stopped at any case, and called again", func() {
		d := set()
		for c, err := range d.Stream(datasets.Filter{}) {
			Expect(err).NotTo(HaveOccurred())
			Expect(c.ID).To(Equal("a"))
			break
		}
		Expect(all(d, datasets.Filter{})).To(HaveLen(3))
	})

	It("returns cases that stay unchanged while it reads further ones", func() {
		cases := all(set(), datasets.Filter{})
		Expect(cases[0].Turns[0].Text).To(Equal("1"))
		Expect(cases[0].Turns[0].Expected).To(MatchJSON(`{"route":"chat"}`))
		Expect(cases[0].Tags).To(Equal([]string{"zh", "typo"}))
	})

	It("uses little memory, because it does not store the cases of a dataset", func() {
		path := shortCases(GinkgoTB(), 30_000)
		before := heap()
		d := open(path)
		Expect(heap() - before).To(BeNumerically("<", 1<<20))
		n := 0
		for _, err := range d.Stream(datasets.Filter{}) {
			Expect(err).NotTo(HaveOccurred())
			if n++; n%10_000 == 0 {
				Expect(heap() - before).To(BeNumerically("<", 1<<20))
			}
		}
		Expect(n).To(Equal(30_000))
	})

	It("can be called concurrently", func() {
		d := set()
		next, stop := iter.Pull2(d.Stream(datasets.Filter{}))
		defer stop()
		first, err, _ := next()
		Expect(err).NotTo(HaveOccurred())
		Expect(all(d, datasets.Filter{})).To(HaveLen(3))
		second, err, _ := next()
		Expect(err).NotTo(HaveOccurred())
		Expect(first.ID + second.ID).To(Equal("ab"))
	})

	Describe("of a file that has changed", func() {
		var path string
		var d *datasets.Dataset
		BeforeEach(func() {
			path = write(short("a", "1"), short("b", "2"))
			d = open(path)
		})

		// errors returns the number of cases and the errors that Stream returns.
		errors := func() (n int, errs []error) {
			for _, err := range d.Stream(datasets.Filter{}) {
				if n++; err != nil {
					n--
					errs = append(errs, err)
				}
			}
			return n, errs
		}

		It("returns an error before the first case if the size or the modification time differs", func() {
			Expect(os.WriteFile(path, []byte(short("a", "1")+short("b", "2")+short("a", "3")), 0o600)).To(Succeed())
			n, errs := errors()
			Expect(n).To(BeZero())
			Expect(errs).To(ConsistOf(MatchError("dataset " + path + ": changed since it was opened")))
			Expect(errs[0]).To(MatchError(datasets.ErrChanged))
		})

		It("returns an error after the last case if only the content differs", func() {
			was, err := os.Stat(path)
			Expect(err).NotTo(HaveOccurred())
			Expect(os.WriteFile(path, []byte(strings.Replace(short("a", "1")+short("b", "2"), "2", "3", 1)), 0o600)).
				To(Succeed())
			Expect(os.Chtimes(path, was.ModTime(), was.ModTime())).To(Succeed())
			n, errs := errors()
			Expect(n).To(Equal(2))
			Expect(errs).To(ConsistOf(MatchError(datasets.ErrChanged)))
		})

		It("returns an error if the file was removed", func() {
			Expect(os.Remove(path)).To(Succeed())
			n, errs := errors()
			Expect(n).To(BeZero())
			Expect(errs).To(ConsistOf(MatchError("dataset " + path + ": no such file or directory")))
			Expect(errs[0]).To(MatchError(fs.ErrNotExist))
		})
	})

	It("ends with an error at an invalid line, if Check was called instead of Open", func() {
		path := write(short("a", "1"), "[]\n", short("b", "2"))
		d, _, err := datasets.Check(path, schema())
		Expect(err).NotTo(HaveOccurred())
		var errs []error
		for _, err := range d.Stream(datasets.Filter{}) {
			errs = append(errs, err)
		}
		Expect(errs).To(HaveExactElements(BeNil(), MatchError(path+":2: is not a JSON object")))
	})
})
