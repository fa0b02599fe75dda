package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/mcp"
)

func TestMCP(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "MCP")
}

// serving is a server in the process that has n tools, in pages of so many.
func serving(n, page int) string {
	server := sdk.NewServer(&sdk.Implementation{Name: "s", Version: "1"}, &sdk.ServerOptions{PageSize: page})
	for i := range n {
		sdk.AddTool(server, &sdk.Tool{Name: fmt.Sprintf("tool-%04d", i), Description: "does it"},
			func(context.Context, *sdk.CallToolRequest, struct {
				City string `json:"city"`
			}) (*sdk.CallToolResult, any, error) {
				return nil, nil, nil
			})
	}
	s := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil))
	DeferCleanup(s.Close)
	return s.URL
}

// program is a server of the standard library of Python, and where it says that it
// runs; skipped where there is none.
func program(pages string) (command, pidFile string) {
	GinkgoHelper()
	python, err := exec.LookPath("python3")
	if err != nil {
		Skip("there is no python3")
	}
	dir := GinkgoT().TempDir()
	script, pidFile := filepath.Join(dir, "server.py"), filepath.Join(dir, "pid")
	Expect(os.WriteFile(script, []byte(`import json, os, sys
open(`+fmt.Sprintf("%q", pidFile)+`, "w").write(str(os.getpid()))
def pages(cursor):
`+pages+`
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "initialize":
        result = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "py", "version": "1"}}
    elif asked["method"] == "tools/list":
        result = pages(asked["params"].get("cursor", ""))
    elif "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "no such method"}}), flush=True)
        continue
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
`), 0o600)).To(Succeed())
	return fmt.Sprintf("%s '%s' --quiet", python, script), pidFile
}

// hasEnded tells that the program that wrote a file runs no more.
func hasEnded(pidFile string) {
	GinkgoHelper()
	pid, err := os.ReadFile(pidFile)
	if errors.Is(err, fs.ErrNotExist) {
		return // it was ended before it had begun
	}
	Expect(err).NotTo(HaveOccurred())
	Expect("/proc/" + string(pid)).NotTo(BeADirectory())
}

var _ = Describe("A server of tools", func() {
	list := func(server string) ([]mcp.Tool, error) {
		return mcp.Config{Timeout: time.Minute}.ListTools(context.Background(), server)
	}

	It("tells over HTTP what it has, page by page", func() {
		tools, err := list(serving(25, 10))
		Expect(err).NotTo(HaveOccurred())
		Expect(tools).To(HaveLen(25))
		Expect(tools[24].Name).To(Equal("tool-0024"))
		Expect(tools[0].Description).To(Equal("does it"))
		var schema struct {
			Type       string
			Properties map[string]any
		}
		Expect(json.Unmarshal(tools[0].Parameters, &schema)).To(Succeed())
		Expect(schema.Type).To(Equal("object"))
		Expect(schema.Properties).To(HaveKey("city"))
	})

	It("is a program, which is ended when it has told", func() {
		command, pid := program(`    if cursor == "": return {"tools": [{"name": "a.b", "description": "d", "inputSchema": {"type": "object"}}], "nextCursor": "2"}
    return {"tools": [{"name": "c", "inputSchema": {"type": "object"}}]}`)
		tools, err := list(command)
		Expect(err).NotTo(HaveOccurred())
		Expect(tools).To(Equal([]mcp.Tool{{Name: "a.b", Description: "d", Parameters: []byte(`{"type":"object"}`)}, {Name: "c", Parameters: []byte(`{"type":"object"}`)}}))
		hasEnded(pid)
	})

	DescribeTable("is left where it does not tell in bounds", func(pages, want string) {
		command, pid := program(pages)
		began := time.Now()
		timeout := time.Minute
		if strings.Contains(want, "within 1s") {
			timeout = time.Second
		}
		_, err := mcp.Config{Timeout: timeout}.ListTools(context.Background(), command)
		Expect(err).To(MatchError(ContainSubstring(want)))
		Expect(err.Error()).NotTo(ContainSubstring("\n"))
		Expect(time.Since(began)).To(BeNumerically("<", time.Minute), "the deaf one would sleep for ten")
		hasEnded(pid)
	},
		Entry("the same page for ever", `    return {"tools": [], "nextCursor": "x"}`, "the same page of tools again and again"),
		Entry("pages without an end", `    return {"tools": [], "nextCursor": cursor + "x"}`, "more than 100 pages"),
		Entry("too many tools", `    return {"tools": [{"name": "t%d" % i, "inputSchema": {"type": "object"}} for i in range(1001)]}`, "more than 1000 tools"),
		Entry("tools that are too large", `    return {"tools": [{"name": "t", "description": "x" * (5 << 20), "inputSchema": {"type": "object"}}]}`, "4194304 bytes"),
		Entry("tools that say nothing", `    return {"tools": [{}] * 30_000}`, "20000 objects"),
		Entry("cursors without an end", `    return {"tools": [], "nextCursor": cursor[:1_000_000] + "x" * 1_000_000}`, "4194304 bytes"),
		Entry("questions in the place of an answer", `    import threading
    threading.Thread(target=lambda: all(iter(lambda: os.read(0, 65536), b"")), daemon=True).start()
    for i in range(30_000): print('{"jsonrpc": "2.0", "id": %d, "method": "ping"}' % i)`, "20000 objects"),
		Entry("a tool without a name", `    return {"tools": [{"inputSchema": {"type": "object"}}]}`, "without a name"),
		Entry("silence, deaf to signals", `    import signal, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)`, "does not answer within 1s"),
		Entry("its end", `    sys.exit("no licence\nfor that")`, "it says: no licence for that"),
	)

	DescribeTable("is refused by what it is called", func(server, want string) {
		_, err := list(server)
		Expect(err).To(MatchError(ContainSubstring(want)))
		Expect(err.Error()).NotTo(ContainSubstring("s3cret"))
	},
		Entry("an address of no host", "http://", `"http://" is not an http URL`),
		Entry("another way", "ftp://me:s3cret@x", "is not an http URL"),
		Entry("no program", "  ", "is empty: name a program"),
		Entry("an open quote", "'a b", "'a b"),
		Entry("a program that is not there", "no-such-program-anywhere x", "no-such-program-anywhere"),
	)

	It("is ended with all that it has started, also when nobody waits any more", func() {
		for _, wait := range []string{"", "    time.sleep(600)\n"} {
			command, pid := program(`    import subprocess, time
    open(` + "sys.argv[0] + '.child'" + `, "w").write(str(subprocess.Popen(["sleep", "600"]).pid))
` + wait + `    return {"tools": [{"name": "a"}]}`)
			child := filepath.Join(filepath.Dir(pid), "server.py.child")
			ctx, cancel := context.WithCancel(context.Background())
			over := make(chan error, 1)
			go func() {
				_, err := mcp.Config{Timeout: time.Minute}.ListTools(ctx, command)
				over <- err
			}()
			Eventually(func() ([]byte, error) { return os.ReadFile(child) }, "10s").ShouldNot(BeEmpty())
			if wait != "" {
				cancel()
			}
			var err error
			Eventually(over, "10s").Should(Receive(&err))
			Expect(err != nil).To(Equal(wait != ""))
			cancel()
			hasEnded(pid)
			id, err := os.ReadFile(child)
			Expect(err).NotTo(HaveOccurred())
			Eventually(func() (string, error) {
				stat, err := os.ReadFile("/proc/" + string(id) + "/stat")
				if errors.Is(err, fs.ErrNotExist) {
					return "Z", nil
				}
				return strings.Fields(string(stat))[2], err
			}).Should(Equal("Z"), "it runs no more, though its new parent may not have buried it yet")
		}
	})

	It("that sends elsewhere is told with where", func() {
		s := httptest.NewServer(http.RedirectHandler("http://elsewhere.test/mcp", http.StatusTemporaryRedirect))
		DeferCleanup(s.Close)
		_, err := list(s.URL)
		Expect(err).To(MatchError(s.URL + ": the answer is the redirect 307 to elsewhere.test/mcp, which is not followed"))
	})

	It("that refuses is told with its status", func() {
		s := httptest.NewServer(http.NotFoundHandler())
		DeferCleanup(s.Close)
		_, err := list(s.URL)
		Expect(err).To(MatchError(ContainSubstring("Not Found")))
	})
})
