package toolrouter_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
)

// declared opens a variant with the default settings, changed by the given ones.
func declared(given map[string]string) (system.LoadedVariant, error) {
	s := toolrouter.System()
	return s.Open(system.Options{SettingValues: s.WithDefaults(given)})
}

// connected returns an agent of an opened variant that uses the simulated models of the stage.
func (s *stage) connected(o system.LoadedVariant) agent.Agent {
	GinkgoHelper()
	_, err := s.prepare()
	Expect(err).NotTo(HaveOccurred())
	a, err := o.NewAgent(1, func(part string) system.Endpoint {
		l := system.Endpoint{Provider: "deepseek", Model: "deepseek-chat", APIKey: "sk-test",
			HTTP: &http.Client{Transport: s}}
		switch part {
		case "vision":
			l.Provider, l.Model = "dashscope", "qwen-vl-plus"
		case "search", "image":
			l.Provider, l.Model = "dashscope", ""
		}
		return l
	})
	Expect(err).NotTo(HaveOccurred())
	return a
}

func promptFile(text string) string {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), "mine.md")
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

var _ = Describe("The prompts of a variant", func() {
	defaultValue := func() system.LoadedVariant {
		GinkgoHelper()
		o, err := declared(nil)
		Expect(err).NotTo(HaveOccurred())
		return o
	}

	DescribeTable("X7: can each be replaced by a file; this changes the version, but no calls with other prompts",
		func(setting, path string, nth int, t agent.Turn, decided string) {
			o, err := declared(map[string]string{setting: promptFile("我的话 {{/* 注 */}}")})
			if setting == "search-prompt" || setting == "search-fallback-prompt" {
				o, err = declared(map[string]string{setting: promptFile("我的话 {{.Query}}")})
			}
			Expect(err).NotTo(HaveOccurred())
			Expect(o.Version).NotTo(Equal(defaultValue().Version))
			s := viewer(route(decided, 0.9))
			s.faults = "search:empty_content@1"
			_, err = s.playBy(s.connected(o), t, func(context.CancelFunc, trace.Event) {})
			Expect(err).NotTo(HaveOccurred())
			Expect(s.messages(path, nth)[0].Content).To(HavePrefix("我的话 "))
			Expect(s.messages(path, nth)[0].Content).NotTo(ContainSubstring("注"))
			heard := 0
			for _, bodies := range s.bodies {
				heard += strings.Count(strings.Join(bodies, ""), "我的话 ")
			}
			Expect(heard).To(Equal(1))
		},
		Entry(nil, "prompt", deepSeek, 0, agent.Turn{Text: drawing}, "image_gen"),
		Entry(nil, "image-rewrite-prompt", deepSeek, 1, agent.Turn{Text: drawing}, "image_gen"),
		Entry(nil, "vision-prompt", dashScope, 0, agent.Turn{Text: "这是什么", Images: []string{photo}}, "chat"),
		Entry(nil, "chat-prompt", deepSeek, 1, agent.Turn{Text: "讲个笑话"}, "chat"),
		Entry(nil, "search-prompt", dashScope, 0, agent.Turn{Text: news}, "web_search"),
		Entry(nil, "search-fallback-prompt", dashScope, 1, agent.Turn{Text: news}, "web_search"),
	)

	It("X7: have one setting for each built-in prompt", func() {
		files, err := filepath.Glob("prompts/*.md")
		Expect(err).NotTo(HaveOccurred())
		searches, err := filepath.Glob("../search/prompts/*.txt")
		Expect(err).NotTo(HaveOccurred())
		Expect(append(files, searches...)).To(HaveLen(6))
		for _, file := range append(files, searches...) {
			name := map[string]string{"router": "prompt", "improve": "image-rewrite-prompt", "vision": "vision-prompt",
				"chat":    "chat-prompt",
				"extract": "search-prompt",
				"digest":  "search-fallback-prompt"}[strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))]
			set, ok := toolrouter.System().Setting(name)
			Expect(ok && set.IsFile).To(BeTrue(), "setting %s", name)
		}
	})

	DescribeTable("X7: are rejected before the first trial if they would fail in every trial",
		func(text, want string) {
			for _, setting := range []string{"prompt", "image-rewrite-prompt", "vision-prompt", "chat-prompt",
				"search-prompt", "search-fallback-prompt"} {
				file := promptFile(text)
				_, err := declared(map[string]string{setting: file})
				Expect(err).To(MatchError(And(HavePrefix(setting+": "), ContainSubstring("mine"),
					ContainSubstring(want), Not(ContainSubstring("\n")))))
				set, _ := toolrouter.System().Setting(setting)
				Expect(set.Check(file)).To(MatchError(ContainSubstring(want)))
			}
		},
		Entry("a file with only blanks", " \n", "empty"),
		Entry("a file with an invalid template", "{{if", "mine.md:1"),
		Entry("a file with an unknown placeholder", "今天 {{.Weather}}", `"Weather"`),
		Entry("a file that is not text", "\xff\xfe", "UTF-8"),
	)
})
