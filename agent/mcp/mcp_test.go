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

// serving starts an in-process server with n tools, page of them per page. It returns the server's
// URL.
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

// program returns the command of an MCP server in Python, and the file to which the server writes
// its process ID. pages is the Python code that returns a page of tools. Without Python, the test
// is skipped.
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

// hasEnded checks that the program that wrote its process ID to pidFile no longer runs.
func hasEnded(pidFile string) {
	GinkgoHelper()
	pid, err := os.ReadFile(pidFile)
	if errors.Is(err, fs.ErrNotExist) {
		return // the program was ended before it could write the file
	}
	Expect(err).NotTo(HaveOccurred())
	Expect("/proc/" + string(pid)).NotTo(BeADirectory())
}

var _ = Describe("Config.ListTools", func() {
	list := func(server string) ([]mcp.Tool, error) {
		return mcp.Config{Timeout: time.Minute}.ListTools(context.Background(), server)
	}

	It("returns the tools of an HTTP server from all pages", func() {
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

	It("starts a program, returns its tools, and ends the program", func() {
		command, pid := program(
			`    if cursor == "": return {"tools": [{"name": "a.b", "description": "d", "inputSchema": {"type": "object"}}], "nextCursor": "2"}
    return {"tools": [{"name": "c", "inputSchema": {"type": "object"}}]}`)
		tools, err := list(command)
		Expect(err).NotTo(HaveOccurred())
		Expect(tools).To(Equal([]mcp.Tool{{Name: "a.b", Description: "d", Parameters: []byte(`{"type":"object"}`)},
			{Name: "c", Parameters: []byte(`{"type":"object"}`)}}))
		hasEnded(pid)
	})

	DescribeTable("ends the session with an error if a program misbehaves", func(pages, want string) {
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
		Entry("the same page again and again", `    return {"tools": [], "nextCursor": "x"}`,
			"the same page of tools again and again"),
		Entry("too many pages", `    return {"tools": [], "nextCursor": cursor + "x"}`, "more than 100 pages"),
		Entry("too many tools", `    return {"tools": [{"name": "t%d" % i, "inputSchema": {"type": "object"}} for i in range(1001)]}`, "more than 1000 tools"),
		Entry("a tool that is too large",
			`    return {"tools": [{"name": "t", "description": "x" * (5 << 20), "inputSchema": {"type": "object"}}]}`,
			"4194304 bytes"),
		Entry("too many empty tools", `    return {"tools": [{}] * 30_000}`, "20000 objects"),
		Entry("cursors that grow with each page",
			`    return {"tools": [], "nextCursor": cursor[:1_000_000] + "x" * 1_000_000}`,
			"4194304 bytes"),
		Entry("requests where the answer belongs", `    import threading
    threading.Thread(target=lambda: all(iter(lambda: os.read(0, 65536), b"")), daemon=True).start()
    for i in range(30_000): print('{"jsonrpc": "2.0", "id": %d, "method": "ping"}' % i)`, "20000 objects"),
		Entry("a tool without a name", `    return {"tools": [{"inputSchema": {"type": "object"}}]}`, "without a name"),
		Entry("a program that neither answers nor reacts to signals", `    import signal, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)`, "does not answer within 1s"),
		Entry("a program that exits with a message", `    sys.exit("no licence\nfor that")`,
			"it says: no licence for that"),
	)

	DescribeTable("returns an error for an invalid URL or command, without the secrets in it",
		func(server, want string) {
			_, err := list(server)
			Expect(err).To(MatchError(ContainSubstring(want)))
			Expect(err.Error()).NotTo(ContainSubstring("s3cret"))
		},
		Entry("a URL without a host", "http://", `"http://" is not an http URL`),
		Entry("a URL with a scheme other than http", "ftp://me:s3cret@x", "is not an http URL"),
		Entry("an empty command", "  ", "is empty: name a program"),
		Entry("a command with an unmatched quote", "'a b", "'a b"),
		Entry("a program that does not exist", "no-such-program-anywhere x", "no-such-program-anywhere"),
	)

	It("ends a program with all its child processes, even if the context ends first", func() {
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

	It("returns an error that names the target of a redirect", func() {
		s := httptest.NewServer(http.RedirectHandler("http://elsewhere.test/mcp", http.StatusTemporaryRedirect))
		DeferCleanup(s.Close)
		_, err := list(s.URL)
		Expect(err).To(MatchError(s.URL +
			": the answer is the redirect 307 to elsewhere.test/mcp, which is not followed"))
	})

	It("returns an error with the HTTP status of a refused session", func() {
		s := httptest.NewServer(http.NotFoundHandler())
		DeferCleanup(s.Close)
		_, err := list(s.URL)
		Expect(err).To(MatchError(ContainSubstring("Not Found")))
	})
})
