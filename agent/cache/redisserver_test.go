package cache_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/cache"
	"evalctl/agent/llm"
)

// needServer is an environment variable: if it is set, a missing redis-server fails the test
// instead of skipping it.
const needServer = "EVALCTL_NEED_REDIS"

// freePort returns a free port of the loopback interface.
func freePort() string {
	GinkgoHelper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	Expect(err).NotTo(HaveOccurred())
	return port
}

// redisServer starts a redis-server that stores its data in folder, and waits until it replies.
func redisServer(binary, port, folder string, store cache.Store) *exec.Cmd {
	GinkgoHelper()
	cmd := exec.Command(binary, "--port", port, "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes",
		"--appendfsync", "always", "--save", "", "--requirepass", "correct horse")
	Expect(cmd.Start()).To(Succeed())
	DeferCleanup(func() {
		_ = cmd.Process.Kill() // fails if the process has ended
		_ = cmd.Wait()
	})
	Eventually(func(ctx context.Context) error {
		_, err := store.GetAll(ctx, []string{"a"})
		return err
	}, 10*time.Second, 10*time.Millisecond).WithContext(context.Background()).Should(Succeed())
	return cmd
}

// reader reads all keys repeatedly until it is stopped, and counts the results.
type reader struct {
	store                    cache.Store
	keys                     []string
	hits, misses, unexpected atomic.Int64
	slowest                  atomic.Int64
}

func (r *reader) read(ctx context.Context, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		began := time.Now()
		found, err := r.store.GetAll(ctx, r.keys)
		duration := int64(time.Since(began))
		for old := r.slowest.Load(); duration > old &&
			!r.slowest.CompareAndSwap(old, duration); old = r.slowest.Load() {
		}
		switch kind := llm.KindOf(err); {
		case err == nil && len(found) == len(r.keys):
			r.hits.Add(1)
		case err == nil, kind == llm.KindConnectionReset, kind == llm.KindTimeout,
			kind == llm.KindServerError: // the server is down, slow, or still loading its data
			r.misses.Add(1)
		default:
			r.unexpected.Add(1)
		}
		time.Sleep(time.Millisecond)
	}
}

var _ = DescribeTable("L6: a real redis-server that is killed causes cache misses only, and hits again within a second after its restart",
	func(ctx context.Context, forgets bool) {
		binary, err := exec.LookPath("redis-server")
		if err != nil && os.Getenv(needServer) == "" {
			Skip("there is no redis-server on PATH: make redis needs it")
		}
		Expect(err).NotTo(HaveOccurred())
		port, folder := freePort(), GinkgoT().TempDir()
		store := redisAt(cache.RedisConfig{URL: "redis://:correct%20horse@127.0.0.1:" + port + "/3"})
		server := redisServer(binary, port, folder, store)

		r := &reader{store: store}
		for i := range 250 {
			r.keys = append(r.keys, fmt.Sprintf("doc_summary:%d", i))
			Expect(store.Put(ctx, r.keys[i], "摘要")).To(Succeed())
		}
		stop, ended := make(chan struct{}), make(chan struct{})
		for range 8 {
			go func() { r.read(ctx, stop); ended <- struct{}{} }()
		}
		Eventually(r.hits.Load, 5*time.Second).Should(BeNumerically(">", 20))

		Expect(server.Process.Signal(syscall.SIGKILL)).To(Succeed())
		_ = server.Wait()
		killed := r.misses.Load()
		Eventually(r.misses.Load, 5*time.Second).Should(BeNumerically(">", killed+50))
		Expect(llm.KindOf(store.Put(ctx, "a", "1"))).To(Equal(llm.KindConnectionReset))

		if forgets {
			folder = GinkgoT().TempDir()
		}
		back := redisServer(binary, port, folder,
			redisAt(cache.RedisConfig{URL: "redis://:correct%20horse@127.0.0.1:" + port}))
		Expect(back.Process).NotTo(BeNil())
		if forgets {
			Eventually(func() error { return store.Put(ctx, "a", "1") }, time.Second, 5*time.Millisecond).
				Should(Succeed())
			found, err := store.GetAll(ctx, append([]string{"a"}, r.keys...))
			Expect(err).NotTo(HaveOccurred())
			Expect(found).To(Equal(map[string]string{"a": "1"}))
		} else {
			hits := r.hits.Load()
			Eventually(r.hits.Load, time.Second, 5*time.Millisecond).Should(BeNumerically(">", hits),
				"what was written is there")
		}
		close(stop)
		for range 8 {
			Eventually(ended, 5*time.Second).Should(Receive())
		}
		Expect(r.unexpected.Load()).To(BeZero())
		Expect(time.Duration(r.slowest.Load())).To(BeNumerically("<", 2*time.Second))
		AddReportEntry("look-ups",
			fmt.Sprintf("%d hits, %d misses, the slowest took %v", r.hits.Load(), r.misses.Load(),
				time.Duration(r.slowest.Load())))
	},
	Entry("with its data", false),
	Entry("without its data", true),
)
