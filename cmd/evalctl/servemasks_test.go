package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	. "github.com/onsi/gomega"
)

var serveMasks = flag.Bool("serve-masks", false,
	"measure the resident memory of a server that gets 100 huge masks at once (a minute)")

// Memory limits of a server to which many clients send the largest masks and bodies.
const (
	maxServedMiB = 512
	maskClients  = 100
)

// TestServeMasks sends requests of maximum size from many clients: masks first, then bodies with
// long texts and long values.
func TestServeMasks(t *testing.T) {
	if !*serveMasks {
		t.Skip("run it with make serve-masks")
	}
	g := NewWithT(t)
	self, err := os.Executable()
	g.Expect(err).NotTo(HaveOccurred())
	cmd := exec.Command(self, "serve", "studio", "--addr", "127.0.0.1:0", "--fault", "router:slow=1ms")
	cmd.Env, cmd.Stderr = append(os.Environ(), asCLI+"=1"), os.Stderr
	out, err := cmd.StdoutPipe()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(cmd.Start()).To(Succeed())
	url, err := bufio.NewReader(out).ReadString('\n')
	g.Expect(err).NotTo(HaveOccurred())
	url = strings.TrimSpace(url) + "/v1/agents/studio/chat"

	var mask bytes.Buffer
	g.Expect(png.Encode(&mask, image.NewNRGBA(image.Rect(0, 0, 4096, 4096)))).To(Succeed())
	t.Logf("a mask of %d KiB", mask.Len()>>10)
	text := base64.StdEncoding.EncodeToString(mask.Bytes())
	ends := postMany(t, url, fmt.Sprintf(`{"maskData":{"base64":%q,"imageUrl":"https://example.org/a.png"}}`, text))
	g.Expect(ends).To(Equal(map[string]int{"200 inpainting": maskClients}))
	t.Logf("%d masks at once: %v; %d MiB resident at most until now", maskClients, ends, peak(t, cmd.Process.Pid))

	large := fmt.Sprintf(`{"text":"画一只猫","images":["data:image/png;base64,iVBORw0KGgoA%s"]}`,
		strings.Repeat("A", 15<<20))
	ends = postMany(t, url, large)
	g.Expect(ends).To(HaveKey("200 generate_image"))
	ends = postMany(t, url, `{"documents":[{}`+strings.Repeat(",{}", 5<<20)+`]}`)
	g.Expect(ends).NotTo(HaveKey(HavePrefix("200")))
	ends = postMany(t, url, `{"text":"画一只猫","history":[{"role":"user"}`+strings.Repeat(`,{"role":"user"}`, 10_000)+`]}`)
	g.Expect(ends).To(HaveKey(HavePrefix("200")))
	resident := peak(t, cmd.Process.Pid)
	t.Logf("%d bodies of 15 MiB, and of many small values, at once: %v; %d MiB", maskClients, ends, resident)

	g.Expect(cmd.Process.Signal(syscall.SIGTERM)).To(Succeed())
	g.Expect(cmd.Wait()).To(Succeed())
	if resident > maxServedMiB {
		t.Errorf("%d MiB, more than %d", resident, maxServedMiB)
	}
}

func peak(t *testing.T, pid int) (kib int) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kib); err == nil {
			break
		}
	}
	return kib / 1024
}

// postMany posts a body many times in parallel. It counts the responses by status and answering
// component.
func postMany(t *testing.T, url, body string) map[string]int {
	var mu sync.Mutex
	ends := map[string]int{}
	var clients sync.WaitGroup
	for range maskClients {
		clients.Go(func() {
			end := "refused while it was sent"
			if resp, err := http.Post(url, "application/json", strings.NewReader(body)); err == nil {
				stream, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				_, served, _ := strings.Cut(string(stream), `"answeredBy":"`)
				served, _, _ = strings.Cut(served, `"`)
				end = strings.TrimSpace(fmt.Sprint(resp.StatusCode, " ", served))
				if err != nil {
					end += " " + err.Error()
				}
			}
			mu.Lock()
			defer mu.Unlock()
			ends[end]++
		})
	}
	clients.Wait()
	return ends
}
