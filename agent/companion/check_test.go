package companion_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/companion"
)

var _ = DescribeTable("C5: the expected dates of a case are accepted only in the form of dates.Result.String",
	func(field, listed, wrong string) {
		err := companion.System().Contract.ValueChecks[field](strings.Split(listed, ";"))
		if wrong == "" {
			Expect(err).NotTo(HaveOccurred())
		} else {
			Expect(err).To(MatchError(ContainSubstring(wrong)))
		}
	},
	Entry(nil, "date", "", ""), Entry(nil, "date", "2026-11-19", ""), Entry(nil, "date", "2024-02-29", ""),
	Entry(nil, "date", "2026-11-09..2026-11-15,2026-11-19;2026-11-19", ""),
	Entry(nil, "date", "2026-11-19..0001-01-01", "is not a list of days"),
	Entry(nil, "date", "2026-02-30", "is not a list of days"),
	Entry(nil, "date", "yesterday", "is not a list of days"), Entry(nil, "date", "none", "is not a list of days"),
	Entry(nil, "date", "2026-1-5", "is not a list of days"),
	Entry(nil, "date", "2026-11-19,2026-11-18", "is not a list of days"),
	Entry(nil, "date", "2026-11-18,2026-11-19", "is not a list of days"),
	Entry(nil, "date", "2026-11-18;昨天", "is not a list of days"),
	Entry(nil, "date", strings.Repeat("2026-11-19,", 100), "more than 1000 bytes"),
	Entry(nil, "days", "2026-11-19;2026-11-18", ""), Entry(nil, "days", "2026-02-30", "is not a day"),
	Entry(nil, "days", "2026-11-09..2026-11-15", "is not a day"), Entry(nil, "days", "a;b;c;d;e;f", "more than 5 days"),
)
