package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/fleet"
)

// startServer runs a server command until stop is called, and returns the first line of its output.
func startServer(args ...string) (line string, stop func()) {
	GinkgoHelper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan struct{})
	go func() {
		run(ctx, args, nil, in, GinkgoWriter)
		_ = in.Close()
		close(ended)
	}()
	stop = func() {
		cancel()
		Eventually(ended).Should(BeClosed())
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	Expect(err).NotTo(HaveOccurred())
	go func() { _, _ = io.Copy(io.Discard, lines) }() // until the command ends
	return strings.TrimSpace(line), stop
}

var _ = It("15.9: proxy and mock serve refuse the same hosts, origins and content types as serve, unless flags allow them",
	func() {
		provider := httptest.NewServer(
			http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") }))
		DeferCleanup(provider.Close)
		for _, args := range [][]string{{"mock", "serve", "--dataset", fileOf("cases.jsonl", threeCases)},
			{"proxy", "--upstream", provider.URL, "-q"}} {
			for _, allowed := range []bool{false, true} {
				if allowed {
					args = append(args, "--allow-host", "evil.com", "--allow-origin", "http://evil.com")
				}
				line, stop := startServer(args...)
				base := "http://" + strings.SplitN(line[strings.Index(line, "//")+2:], "/", 2)[0]
				ask := func(host, origin, kind string) int {
					r, err := http.NewRequest(http.MethodPost, base+"/v1/chat/completions",
						strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`))
					Expect(err).NotTo(HaveOccurred())
					r.Header.Set("Authorization", "Bearer k")
					r.Header.Set("Content-Type", kind)
					if r.Host = host; origin != "" {
						r.Header.Set("Origin", origin)
					}
					resp, err := http.DefaultClient.Do(r)
					Expect(err).NotTo(HaveOccurred())
					defer resp.Body.Close()
					return resp.StatusCode
				}
				refused := map[bool]int{false: http.StatusForbidden, true: http.StatusOK}[allowed]
				Expect(ask("", "", "application/json")).To(Equal(http.StatusOK), "an SDK")
				Expect(ask("", "", "application/x-www-form-urlencoded")).To(Equal(http.StatusOK), "curl -d")
				Expect(ask("evil.com", "", "application/json")).To(Equal(refused))
				Expect(ask("", "http://evil.com", "application/json")).To(Equal(refused))
				Expect(ask("", "", "text/plain")).To(Equal(http.StatusUnsupportedMediaType))
				stop()
			}
		}
	})

// authority is a certificate authority for tests.
type authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority() authority {
	GinkgoHelper()
	a := authority{dir: GinkgoT().TempDir()}
	a.cert, a.key = a.sign("ca",
		&x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

func (a authority) file(name string) string { return filepath.Join(a.dir, name) }

// sign creates a certificate and writes it to NAME.pem and its key to NAME.key.
func (a authority) sign(name string, c *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	GinkgoHelper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	Expect(err).NotTo(HaveOccurred())
	c.SerialNumber, c.Subject, c.NotAfter = big.NewInt(time.Now().UnixNano()),
		pkix.Name{CommonName: name}, time.Now().Add(time.Hour)
	parent, by := a.cert, a.key
	if parent == nil {
		parent, by = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, by)
	Expect(err).NotTo(HaveOccurred())
	text, err := x509.MarshalPKCS8PrivateKey(key)
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(a.file(name+".pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)).
		To(Succeed())
	Expect(os.WriteFile(a.file(name+".key"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text}), 0o600)).
		To(Succeed())
	signed, err := x509.ParseCertificate(der)
	Expect(err).NotTo(HaveOccurred())
	return signed, key
}

// brokerDial connects to a broker with the flags of a client and returns the error.
func brokerDial(url string, f accessFlags) error {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	at, err := f.address(url, &secret.Set{})
	Expect(err).NotTo(HaveOccurred())
	conn, err := fleet.Dial(ctx, at, func(string) {})
	if err == nil {
		conn.Close()
	}
	return err
}

var _ = Describe("15.9: evalctl broker", func() {
	It("always requires a token, which it generates, prints in its URL and stores", func() {
		dir := filepath.Join(GinkgoT().TempDir(), "broker")
		url, stop := startServer("broker", "--dir", dir, "--addr", "127.0.0.1:0")
		Expect(url).To(MatchRegexp(`^nats://[0-9a-f]{32}@127\.0\.0\.1:\d+$`))
		held := filepath.Join(dir, "token")
		info, err := os.Stat(held)
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)))
		bare := "nats://" + url[strings.Index(url, "@")+1:]
		Expect(brokerDial(url, accessFlags{})).To(Succeed())
		Expect(brokerDial(bare, accessFlags{tokenFile: held})).To(Succeed())
		Expect(brokerDial(bare, accessFlags{})).
			To(MatchError(ContainSubstring("refuses: give its token or user, with --token-file")))
		stop()

		again, stop := startServer("broker", "--dir", dir, "--addr", "127.0.0.1:0")
		Expect(again[:40]).To(Equal(url[:40]), "the same token")
		stop()
		Expect(os.Chmod(held, 0o644)).To(Succeed())
		got := evalctl("broker", "--dir", dir, "--addr", "127.0.0.1:0")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring("--token-file: " + held +
			": has mode 0644, and others can read it: make it 0600"))
	})

	It("uses TLS with coordinators and workers, which both sides verify", func() {
		ca, other := newAuthority(), newAuthority()
		ca.sign("broker", &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
		ca.sign("client", &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
		ca.sign("elsewhere", &x509.Certificate{DNSNames: []string{"elsewhere.test"},
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
		other.sign("client", &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
		mine := []string{"--tls-ca", ca.file("ca.pem"), "--tls-cert", ca.file("client.pem"), "--tls-key",
			ca.file("client.key")}
		access := accessFlags{tls: tlsFlags{ca: ca.file("ca.pem"), cert: ca.file("client.pem"),
			key: ca.file("client.key")}}

		url, stop := startServer("broker", "--dir", filepath.Join(GinkgoT().TempDir(), "broker"),
			"--addr", "127.0.0.1:0",
			"--tls-cert", ca.file("broker.pem"), "--tls-key", ca.file("broker.key"), "--tls-ca", ca.file("ca.pem"))
		defer stop()
		Expect(url).To(HavePrefix("tls://"))
		worked := make(chan cliResult, 1)
		go func() { worked <- evalctl(append([]string{"worker", url, "--once", "-q"}, mine...)...) }()
		dir := newRunDir()
		got := evalctl(append([]string{"run", "toolrouter", "--limit", "3", "--out", dir, "--broker", url}, mine...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect((<-worked).code).To(Equal(exit.Passed))
		Expect(leftBy(dir) + got.stdout + got.stderr).NotTo(ContainSubstring(url[6:38]))

		foreign := access
		foreign.tls.ca = other.file("ca.pem")
		Expect(brokerDial(url, foreign)).
			To(MatchError(ContainSubstring(
				"its certificate is not trusted: give the authority that signed it with --tls-ca")))
		Expect(brokerDial(url, accessFlags{})).To(MatchError(ContainSubstring("its certificate is not trusted")))
		Expect(brokerDial(url, accessFlags{tls: tlsFlags{ca: ca.file("ca.pem")}})).
			To(MatchError(ContainSubstring("may require a client certificate")))
		foreign = access
		foreign.tls.cert, foreign.tls.key = other.file("client.pem"), other.file("client.key")
		Expect(brokerDial(url, foreign)).To(MatchError(ContainSubstring("refuses the secure connection")))

		plain, end := startServer("broker", "--dir", filepath.Join(GinkgoT().TempDir(), "broker"),
			"--addr", "127.0.0.1:0")
		defer end()
		Expect(brokerDial(plain, access)).To(MatchError(ContainSubstring("speaks no TLS")))
		named, end := startServer("broker", "--dir", filepath.Join(GinkgoT().TempDir(), "broker"),
			"--addr", "127.0.0.1:0",
			"--tls-cert", ca.file("elsewhere.pem"), "--tls-key", ca.file("elsewhere.key"))
		defer end()
		Expect(brokerDial(named, access)).To(MatchError(ContainSubstring("its certificate is of another host")))
	})

	DescribeTable("refuses in one line, like its clients,", func(want string, args ...string) {
		got := evalctl(args...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(want))
	},
		Entry("a certificate without its key", "--tls-key: is required with --tls-cert", "broker", "--dir",
			os.TempDir()+"/evalctl-none", "--tls-cert", "x.pem"),
		Entry("a certificate authority without a certificate", "--tls-cert: is missing", "broker", "--dir",
			os.TempDir()+"/evalctl-none",
			"--tls-ca", "x.pem"),
		Entry("a missing authority file", "--tls-ca: open nope.pem", "worker", "nats://127.0.0.1:1",
			"--tls-ca", "nope.pem"),
		Entry("a missing token file", "--token-file: stat nope", "worker", "nats://127.0.0.1:1",
			"--token-file", "nope"),
		Entry("TLS flags without --broker", "--tls-ca: goes with --broker", "run", "--tls-ca", "x.pem"),
	)
})
