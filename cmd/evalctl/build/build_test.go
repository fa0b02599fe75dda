package build

import (
	"errors"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestBuild(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Build")
}

var _ = Describe("15.7: the identity of a build", func() {
	const revision = "0123456789abcdef"
	settings := func(pairs ...string) (list []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	dep := func(version string, replace *debug.Module) debug.BuildInfo {
		return debug.BuildInfo{Main: debug.Module{Path: "mine", Version: "v9.0.0"},
			Deps: []*debug.Module{{Path: "other", Version: "v1.0.0"},
				{Path: module, Version: version, Replace: replace}}}
	}
	main := func(version string, pairs ...string) debug.BuildInfo {
		return debug.BuildInfo{Main: debug.Module{Path: module, Version: version}, Settings: settings(pairs...)}
	}

	DescribeTable("is the version if the version identifies unmodified sources; otherwise it also contains a hash of the executable",
		func(info debug.BuildInfo, want string, stamped bool) {
			version, ok := versionOf(&info)
			Expect(version).To(Equal(want))
			Expect(ok).To(Equal(stamped))
		},
		Entry("a build without version and revision: a hash is added", main("(devel)"), "(devel)", false),
		Entry("a build whose module has an empty version: a hash is added", main(""), "", false),
		Entry("a build from an unmodified checkout: no hash",
			main("(devel)", "vcs.revision", revision, "vcs.modified", "false"),
			"(devel) 0123456789ab", true),
		Entry("a build from a modified checkout: a hash is added",
			main("(devel)", "vcs.revision", revision, "vcs.modified", "true"),
			"(devel) 0123456789ab", false),
		Entry("a release version: no hash", main("v1.2.3"), "v1.2.3", true),
		Entry("a version with the suffix +dirty: a hash is added", main("v1.2.4-0.20260101000000-0123456789ab+dirty"),
			"v1.2.4-0.20260101000000-0123456789ab+dirty", false),
		Entry("evalctl as a dependency, with a release version: no hash", dep("v1.2.3", nil), "v1.2.3", true),
		Entry("evalctl as a dependency that is replaced by a directory: a hash is added",
			dep("v1.2.3", &debug.Module{Path: "../evalctl"}),
			"v1.2.3", false),
		Entry("another dependency that is replaced by a directory: a hash is added",
			debug.BuildInfo{Main: debug.Module{Path: module, Version: "v1.2.3"},
				Deps: []*debug.Module{{Path: "library", Version: "v1.0.0",
					Replace: &debug.Module{Path: "../library"}}}},
			"v1.2.3", false),
	)

	It("contains a hash of the executable, or is an error if the executable cannot be read", func() {
		of := func(text string) func() (io.ReadCloser, error) {
			return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
		}
		one, err := identify("(devel)", false, of("one"))
		Expect(err).NotTo(HaveOccurred())
		Expect(one).To(MatchRegexp(`^\(devel\) [0-9a-f]{16}$`))
		two, err := identify("(devel)", false, of("two"))
		Expect(err).NotTo(HaveOccurred())
		Expect(two).NotTo(Equal(one))
		_, err = identify("(devel)", false, func() (io.ReadCloser, error) { return nil, errors.New("no permission") })
		Expect(err).To(MatchError(ContainSubstring("no permission")))
		Expect(identify("v1.2.3", true, func() (io.ReadCloser, error) { return nil, os.ErrPermission })).
			To(Equal("v1.2.3"))
	})

	It("contains a hash in a test binary, because a test binary has no version stamp", func() {
		Expect(Identity()).To(MatchRegexp(`^\(devel\) [0-9a-f]{16}$`))
	})
})
