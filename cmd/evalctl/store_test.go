package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
)

// storeSettings returns, for each system that can store conversations, the setting that names the
// file.
func storeSettings() map[string]string {
	found := map[string]string{}
	for _, of := range shippedSystems() {
		if i := slices.IndexFunc(of.Settings,
			func(set system.Setting) bool { return set.IsPersistent && set.IsFile }); i >= 0 {
			found[of.Name] = of.Settings[i].Name
		}
	}
	Expect(len(found)).To(BeNumerically(">=", 2), "the specs below need two")
	return found
}

var _ = Describe("A file with stored conversations", Label("concurrent"), func() {
	const said = "我家的猫叫团子，帮我写一篇小红书"

	// alone expects that the stored conversations are a single file, without temporary files.
	alone := func(path string) {
		GinkgoHelper()
		files, err := os.ReadDir(filepath.Dir(path))
		Expect(err).NotTo(HaveOccurred())
		Expect(files).To(HaveLen(1))
		Expect(files[0].Name()).To(Equal(filepath.Base(path)))
	}

	It("is a single complete file when its agent is closed", func() {
		for target, setting := range storeSettings() {
			path := filepath.Join(GinkgoT().TempDir(), "s.db")
			f := agentFlags{seed: 1, settings: map[string]*string{setting: &path}}
			agents, err := f.agents(context.Background(), []string{target})
			Expect(err).NotTo(HaveOccurred())
			c := &chat{agent: agents.all[target], contract: system.Contract{AllowBatch: true}, session: "mine",
				out: terminal.Printer{W: GinkgoWriter}}
			Expect(clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
				c.send(ctx, said)
				return nil
			})).To(Succeed())
			Expect(agent.Close(c.agent)).To(Succeed())
			alone(path)
			Expect(read(path)).To(ContainSubstring(said), target)
		}
	})

	It("lets chat resume a conversation by its name, which is different for each", func() {
		for target, setting := range storeSettings() {
			path, names := filepath.Join(GinkgoT().TempDir(), "s.db"), map[string]bool{}
			for range 2 {
				got := runWithInput(context.Background(), "/new\n/quit\n", "chat", target, "--"+setting, path)
				Expect(got.code).To(Equal(exit.Passed), got.stderr)
				alone(path)
				output := regexp.MustCompile(`(?m)^· conversation (\S+); go on with --session (\S+)$`).
					FindAllStringSubmatch(got.stdout, -1)
				Expect(output).To(HaveLen(2), got.stdout)
				for _, t := range output {
					Expect(t[2]).To(Equal(t[1]))
					names[t[1]] = true
				}
			}
			Expect(names).To(HaveLen(4))
			got := runWithInput(context.Background(), "", "chat", target, "--"+setting, path, "--session", "mine")
			Expect(got.stdout).To(Equal("· conversation mine; go on with --session mine\n"))
		}
	})

	It("is closed when a signal ends chat, and when serve ends", func() {
		for target, setting := range storeSettings() {
			for _, verb := range []struct {
				args []string
				code int
			}{{[]string{"chat", target}, exit.Interrupted},
				{[]string{"serve", target, "--addr", "127.0.0.1:0"}, exit.Passed}} {
				path := filepath.Join(GinkgoT().TempDir(), "s.db")
				ctx, stop := context.WithCancel(context.Background())
				keys, _ := io.Pipe() // no input
				screen, out := io.Pipe()
				ended := make(chan int, 1)
				go func() {
					ended <- run(ctx, append(verb.args, "--"+setting, path), keys, out, GinkgoWriter)
					_ = out.Close()
				}()
				_, err := bufio.NewReader(screen).ReadString('\n')
				Expect(err).NotTo(HaveOccurred())
				Expect(path + "-wal").To(BeAnExistingFile())
				stop()
				Eventually(ended).Should(Receive(Equal(verb.code)), verb.args[0])
				alone(path)
			}
		}
	})

	It("belongs to a single agent, and is refused by evalctl run", func() {
		path := filepath.Join(GinkgoT().TempDir(), "s.db")
		var names []string
		setting := ""
		for target, set := range storeSettings() {
			names, setting = append(names, target), set
		}
		got := evalctl(append([]string{"serve", "--addr", "127.0.0.1:0", "--" + setting, path}, names...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(Equal("evalctl: --" + setting + ": works with one agent: start a server for each of " +
			strings.Join(names, ", ") + ", with a file of its own\n"))
		got = evalctl("run", names[0], "--"+setting, path)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(HavePrefix("evalctl: --" + setting + ": is for chat and serve: "))
		write(path, strings.Repeat("no database\n", 100))
		got = evalctl("chat", names[0], "--"+setting, path)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(And(ContainSubstring("is damaged or no database"), Not(ContainSubstring("variant"))))
		got = evalctl("chat", names[0], "--session", "mine")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(Equal(
			"evalctl: --session: no conversation outlives the program without a file that keeps it\n"))
	})
})
