package remote_test

import (
	"context"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/remote"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

// opened opens the target http with these settings and creates an agent for the URL.
func opened(url string, settings map[string]string) (agent.Agent, system.LoadedVariant, error) {
	of := remote.System()
	o := system.Options{SettingValues: of.WithDefaults(settings),
		Labels: []system.Label{{Name: "refund"}, {Name: "delivery"}}}
	o.SettingValues["url"] = url
	made, err := of.Open(o)
	if err != nil {
		return nil, made, err
	}
	a, err := made.NewAgent(7, func(string) system.Endpoint { return system.Endpoint{BaseURL: url} })
	return a, made, err
}

func play(a agent.Agent) {
	GinkgoHelper()
	_, err := a.Respond(context.Background(), agent.Turn{Text: "hi"}, func(trace.Event) {})
	Expect(err).NotTo(HaveOccurred())
}

var _ = Describe("The target http", func() {
	It("sends headers with values of environment variables, and lists the names of these variables", func() {
		GinkgoT().Setenv("REMOTE_TEST_TOKEN", "s3cr3ts3cr3t")
		url, asked := service(says(asJSON, `{"label":"refund"}`))
		value := "Authorization=Bearer $REMOTE_TEST_TOKEN\nX-Team=search"
		a, _, err := opened(url, map[string]string{"header": value})
		Expect(err).NotTo(HaveOccurred())
		play(a)
		Expect((*asked)[0].header.Get("Authorization")).To(Equal("Bearer s3cr3ts3cr3t"))
		Expect((*asked)[0].header.Get("X-Team")).To(Equal("search"))
		set, _ := remote.System().Setting("header")
		Expect(set.SentEnvVariables(value)).To(Equal([]string{"REMOTE_TEST_TOKEN"}))
		Expect(set.SentEnvVariables(`["A=${ONE}$TWO"]`)).To(Equal([]string{"ONE", "TWO"}))
	})

	DescribeTable("rejects an invalid or unsafe header", func(value, want string) {
		set, _ := remote.System().Setting("header")
		err := set.Check(value)
		Expect(err).To(MatchError(ContainSubstring(want)))
		Expect(err).To(MatchError(Not(ContainSubstring("sk-12345"))), "it may be a secret")
	},
		Entry("a header without a name", "sk-12345", "must be NAME=VALUE"),
		Entry("a secret in the header Authorization", "Authorization=Bearer sk-12345", "its value is a secret"),
		Entry("a secret in a header whose name implies a key", "X-Api-Key=sk-12345", "its value is a secret"),
		Entry("a header with an invalid name", "a b=c", "must be NAME=VALUE"),
		Entry("a header with a line break", `["X-A=b\nc"]`, "no header can have"),
	)

	It("returns an error if a header refers to an environment variable that is not set", func() {
		_, _, err := opened("http://127.0.0.1:1", map[string]string{"header": "Authorization=$NOBODY_SETS_THIS"})
		Expect(err).To(MatchError("header: Authorization: the environment has no NOBODY_SETS_THIS"))
	})

	It("reads the request template from a file; its content is part of the version of the variant", func() {
		url, asked := service(says(asJSON, `{"label":"refund"}`))
		file := filepath.Join(GinkgoT().TempDir(), "r.json")
		var versions []string
		for _, text := range []string{`{"a":{{text}}}`, `{"b":{{text}}}`} {
			Expect(os.WriteFile(file, []byte(text), 0o600)).To(Succeed())
			a, made, err := opened(url, map[string]string{"request-file": file})
			Expect(err).NotTo(HaveOccurred())
			play(a)
			versions = append(versions, made.Version)
		}
		Expect((*asked)[1].body).To(Equal(`{"b":"hi"}`))
		Expect(versions[0]).NotTo(Equal(versions[1]))
		_, _, err := opened(url, map[string]string{"request-file": file, "request": "{}"})
		Expect(err).To(MatchError("request: goes without request-file"))
	})

	DescribeTable("sends the ID of the conversation", func(how string, same bool) {
		url, asked := service(says(asJSON, `{"label":"refund"}`))
		for range 2 {
			a, _, err := opened(url, map[string]string{"session-ids": how})
			Expect(err).NotTo(HaveOccurred())
			play(a)
			play(a)
		}
		Expect((*asked)[0].body).To(Equal((*asked)[1].body), "one conversation, of which nothing is remembered here")
		Expect((*asked)[0].body == (*asked)[2].body).To(Equal(same))
	},
		Entry("session-ids is random: a new ID for each conversation", "fresh", false),
		Entry("session-ids depends on the seed: the same ID for the same seed", "seeded", true),
	)

	It("returns an error if no URL is set", func() {
		_, _, err := opened("", nil)
		Expect(err).To(MatchError(ContainSubstring("say where the agent is with --url URL")))
	})
})
