package secret_test

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
)

func TestSecret(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "secret")
}

const key = `sk-a/b+c"d<e&f==`

var _ = Describe("Set of secrets", func() {
	quoted, _ := json.Marshal(key)
	inner := string(quoted[1 : len(quoted)-1])

	DescribeTable("redacts a key in every notation", func(spelt string) {
		Expect(secret.NewSet(key, "").Redact("x " + spelt + " y")).To(Equal("x [redacted] y"))
	},
		Entry("the key as it is", key),
		Entry("the key in a JSON string", inner),
		Entry("the key in JSON with unescaped special characters", `sk-a/b+c\"d<e&f==`),
		Entry("the key in JSON with escaped slashes", strings.ReplaceAll(inner, "/", `\/`)),
		Entry("the key in a URL query", url.QueryEscape(key)),
		Entry("the key in a URL query with lower-case escapes", lower(url.QueryEscape(key))),
		Entry("the key in a URL path", url.PathEscape(key)),
		Entry("the key in a URL path as Python's quote writes it", `sk-a/b%2Bc%22d%3Ce%26f%3D%3D`),
		Entry("the key in a URL that is a parameter of another URL", url.QueryEscape(url.QueryEscape(key))),
		Entry("the key in JSON with every character escaped", `\u0073\u006B\u002d\u0061\/b%2bc\u0022d<e&f\u003D=`),
		Entry("the key in JSON nested in a JSON string", `sk-a\\/b\\u002bc\\\"d\\u003ce&f==`),
	)

	It("15.8: redacts a key in hex, HTML, base32 and another letter case, in a stream, and parts of at least 12 bytes",
		func() {
			decimal, hexadecimal := "", ""
			for _, c := range []byte(key) {
				decimal += fmt.Sprintf("&#%d;", c)
				hexadecimal += fmt.Sprintf("&#X%02x;", c)
			}
			spelt := []string{hex.EncodeToString([]byte(key)), strings.ToUpper(hex.EncodeToString([]byte(key))),
				html.EscapeString(key), html.EscapeString(html.EscapeString(key)),
				strings.ReplaceAll(strings.ReplaceAll(html.EscapeString(key), "/", "&sol;"), "=", "&equals;"), decimal,
				hexadecimal, strings.ReplaceAll(html.EscapeString(key), "&", `\u0026`),
				base32.StdEncoding.EncodeToString([]byte(key)),
				strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString([]byte(key))),
				strings.ToUpper(key), strings.ToUpper(inner), key[:12], key[len(key)-12:], key[1:], key[:15],
				strings.ToUpper(key[4:]), url.QueryEscape(key[:13]),
				base64.StdEncoding.EncodeToString([]byte(key[:12])),
				base32.StdEncoding.EncodeToString([]byte(key))[:20]}
			set := secret.NewSet(key, "")
			for _, spelt := range spelt {
				text := "it is " + spelt + "!"
				Expect(set.Redact(text)).To(Equal("it is [redacted]!"), spelt)
				for cut := range text {
					stream := secret.StreamRedactor{Set: set}
					Expect(stream.Write(text[:cut])+stream.Write(text[cut:])+stream.Flush()).
						To(Equal("it is [redacted]!"),
							"%s | %s", text[:cut], text[cut:])
				}
			}
			for _, before := range []string{"", "u", "u:", "me:", "user"} {
				text := base32.StdEncoding.EncodeToString([]byte(before + key + "?~"))
				Expect(len(strings.Replace(set.Redact(text), secret.RedactedMarker, "", 1))).
					To(BeNumerically("<=", len(text)-len(key)*8/5+2))
			}
		})

	It("15.8: does not redact parts shorter than 12 bytes and parts that are ordinary words", func() {
		set := secret.NewSet("acme-assistant-prod-3f9a77", "")
		set.Add("sk-proj-0000111122223333", "passw0rd123")
		text := "acme-assistant sk-proj-000 11122223333 passw0rd12 acme-assistance assistant-prod-"
		Expect(set.Redact(text)).To(Equal(text))
		Expect(set.Redact("sk-proj-0000 ant-prod-3f9a77 ACME-ASSISTANT-PROD-3f9")).
			To(Equal("[redacted] [redacted] [redacted]"))
		Expect(set.RemovePublic([]string{"sk-proj-0000 of old"})).To(BeEmpty(), "the whole stays secret")
		Expect(set.Redact("sk-proj-0000 sk-proj-0000111122223333")).To(Equal("sk-proj-0000 [redacted]"))
	})

	It("15.8: redacts every part of at least 12 bytes, also from the middle of the key, but no ordinary text", func() {
		long := "sk-live-Zq8vT3mK1xW7nB5cR9dL2pF6hJ4gS0aY"
		set := secret.NewSet(long, "")
		for from := range len(long) - 11 {
			for to := from + 12; to <= len(long); to++ {
				piece := long[from:to]
				Expect(set.Redact("it is "+piece+"!")).To(Equal("it is [redacted]!"), piece)
				Expect(set.Redact(url.QueryEscape(strings.ToUpper(piece)))).To(Equal("[redacted]"), piece)
			}
			short := long[from : from+11]
			Expect(set.Redact(short+" "+short)).To(Equal(short+" "+short), "11 bytes are no piece")
		}
		stream := secret.StreamRedactor{Set: set}
		Expect(stream.Write("a Zq8vT3mK1x")).To(Equal("a "))
		Expect(stream.Write("W7nB5, b") + stream.Flush()).To(Equal("[redacted], b"))
		Expect(secret.NewSet("elevenchar1", "").Redact("elevenchar elevenchar1")).To(Equal("elevenchar [redacted]"))

		var environment secret.Set
		environment.AddEnvironment(
			[]string{"DB_CREDENTIALS=postgres://app:Zq8vT3mK1xW7nB5c@db.internal.test:5432/orders",
				"TOKEN=acme-assistant-prod-3f9a77"})
		text := "db.internal.test:5432/ord, the assistant-prod- of 2026-01-02T15:04:05Z"
		Expect(environment.Redact(text)).To(Equal(text))
		Expect(environment.Redact("v T3mK1xW7nB5c at db.internal.test:5432/orders")).
			To(Equal("v [redacted] at [redacted]"))
	})

	It("redacts a key inside longer data that are encoded as base64", func() {
		for _, code := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding,
			base64.RawURLEncoding} {
			for _, before := range []string{"", "u", "u:", "me:", "user"} {
				text := code.EncodeToString([]byte(before + key + "?~"))
				left := strings.Replace(secret.NewSet(key, "").Redact(text), secret.RedactedMarker, "", 1)
				Expect(len(left)).To(BeNumerically("<=", len(text)-len(key)*4/3+2), "%s: %s", text, left)
			}
			Expect(secret.NewSet(key, "").Redact(code.EncodeToString([]byte(key)))).To(Equal(secret.RedactedMarker))
		}
	})

	DescribeTable("redacts the secrets of a URL in other texts", func(address, text string) {
		Expect(secret.NewSet("", address).Redact(text)).To(Equal("[redacted]"))
	},
		Entry("the password in the URL", "http://me:passw0rd!@h/v1", "passw0rd!"),
		Entry("the password with its URL escapes decoded", "http://me:p%40ssw0rd@h/v1", "p@ssw0rd"),
		Entry("a password that contains an @", "http://me:p@ssw0rd@h/v1", "p@ssw0rd"),
		Entry("a user without a password, such as an access token", "https://ghp_0123456789@h", "ghp_0123456789"),
		Entry("user and password in base64, as in an Authorization header", "http://me:pw@h/v1", "bWU6cHc="),
		Entry("an API key in the query", "http://h/v1?a=b&api_key=0123456789", "0123456789"),
		Entry("an access token in the query", "http://h/v1?Access-Token=0123456789#x", "0123456789"),
		Entry("the password in an invalid URL", "http://me:passw0rd!@h:port:/%zz", "passw0rd!"),
	)

	It("15.8: expands variables in a URL with URL escapes, and redacts their values in every notation; the references remain",
		func() {
			GinkgoT().Setenv("URL_TEST_KEY", "p@ss/w+rd&0123 x")
			set := &secret.Set{}
			set.AddFromText("http://me:$URL_TEST_KEY@h/v1?key=$URL_TEST_KEY")
			Expect(set.IsEmpty()).To(BeTrue())
			got, err := set.ExpandEnvInURL("http://me:$URL_TEST_KEY@h/$$v1?key=${URL_TEST_KEY}")
			Expect(err).NotTo(HaveOccurred())
			const escaped = "p%40ss%2Fw%2Brd%260123%20x"
			Expect(got).To(Equal("http://me:" + escaped + "@h/$v1?key=" + escaped))
			basic := base64.StdEncoding.EncodeToString([]byte("me:p@ss/w+rd&0123 x"))
			Expect(set.Redact("p@ss/w+rd&0123 x, " + escaped + ", " + basic + " of $URL_TEST_KEY")).
				To(Equal("[redacted], [redacted], [redacted] of $URL_TEST_KEY"))
			for _, bad := range []string{"http://$URL_TEST_KEY/v1", "http://me@h:$URL_TEST_KEY",
				"redis://$URL_TEST_KEY:1",
				"http://h/$URL_TEST_NONE"} {
				_, err := set.ExpandEnvInURL(bad)
				Expect(err).To(HaveOccurred(), bad)
			}
		})

	It("adds environment variables whose names suggest a secret, unless their value is a path", func() {
		var set secret.Set
		set.AddEnvironment([]string{"DB_PASS=hunter2hunter2", "BASIC_AUTH=basic99887766", "HOME=/root/home",
			"SSH_AUTH_SOCK=/tmp/agent.sock", "GIT_ASKPASS=/bin/askpass",
			"API_KEY=/begins/with/a/slash", "EDITOR=something"})
		Expect(set.Redact("hunter2hunter2 basic99887766 /begins/with/a/slash /root/home /tmp/agent.sock /bin/askpass something")).
			To(Equal("[redacted] [redacted] [redacted] /root/home /tmp/agent.sock /bin/askpass something"))
	})

	It("does not add environment variables whose value is an ordinary word, and returns their names", func() {
		var set secret.Set
		plain := set.AddEnvironment([]string{"MYSQL_PASSWORD=password", "X_TOKEN_KIND=delivery",
			"AUTH_METHOD=client-credentials", "SECRET_NAME=Team Secrets", "PGPASSWORD=POSTGRES",
			"SHORT_KEY=word", "GIT_AUTHOR_NAME=hunter2hunter2", "GITHUB_TOKEN=ghpAbCdEfGhIjKl",
			"PASSPHRASE=correct-horse-battery-staple", "OAUTH=qwertyuiop1", "AUTHORIZATION=basic99887766"})
		Expect(plain).To(Equal([]string{"MYSQL_PASSWORD", "X_TOKEN_KIND", "AUTH_METHOD", "SECRET_NAME", "PGPASSWORD"}))
		public := "password delivery client-credentials Team Secrets POSTGRES hunter2hunter2"
		Expect(set.Redact(public)).To(Equal(public))
		Expect(set.Redact("ghpAbCdEfGhIjKl correct-horse-battery-staple qwertyuiop1 basic99887766")).
			To(Equal("[redacted] [redacted] [redacted] [redacted]"))
	})

	It("removes the secrets that public texts such as labels contain, and no others", func() {
		set := secret.NewSet("delivery", "")
		set.Add(key, "password1", "delivery-0123456789")
		labels := []string{"refund", "password1_reset", "late delivery"}
		Expect(set.RemovePublic(labels)).To(Equal([]string{"password1_reset", "late delivery"}))
		for _, label := range labels {
			Expect(set.Redact(label)).To(Equal(label))
		}
		Expect(set.Redact("password1 " + key + " delivery-0123456789")).To(Equal("password1 [redacted] [redacted]"))
		Expect(set.RemovePublic([]string{"x " + key, "delivery-0123456789"})).To(HaveLen(2))
		Expect(set.RemovePublic(labels)).To(BeEmpty())
		Expect((&secret.Set{}).RemovePublic(labels)).To(BeEmpty())
	})

	It("does not change a text without secrets", func() {
		s := secret.NewSet("none", "http://someuser:pw@localhost.test/v1?version=20240101&key=abc")
		text := "none someuser pw localhost.test 20240101 abc"
		Expect(s.Redact(text)).To(Equal(text))
		Expect((*secret.Set)(nil).Redact(text)).To(Equal(text))
		Expect(string((*secret.Set)(nil).RedactJSON([]byte(text)))).To(Equal(text))
	})

	It("redacts the longest of several keys that begin with the same characters", func() {
		s := secret.NewSet("abcdefgh", "")
		s.Add("abcdefghijkl")
		Expect(s.Redact("abcdefghijklm abcdefghi")).To(Equal("[redacted]m [redacted]i"))
	})
})

func lower(s string) string {
	return strings.NewReplacer("%2F", "%2f", "%2B", "%2b", "%3C", "%3c", "%3D", "%3d").Replace(s)
}

var _ = DescribeTable("RedactURL removes the secrets of an address", func(address, want string) {
	Expect(secret.RedactURL(address)).To(Equal(want))
	Expect(secret.RedactURL(want)).To(Equal(want), "twice is once")
	Expect(secret.IsRedactedURL(want)).To(Equal(address != want))
},
	Entry("an address without secrets", "http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1"),
	Entry("an address with user and password", "http://me:p@ss@h:1/v1", "http://[redacted]@h:1/v1"),
	Entry("an address with an API key in the query", "http://h/v1?api_key=abc&version=2",
		"http://h/v1?api_key=[redacted]&version=2"),
	Entry("an address with a token and a fragment", "http://h/v1?token=abc#here", "http://h/v1?token=[redacted]#here"),
	Entry("an address with an @ in its path", "http://h/@me", "http://h/@me"),
	Entry("an address that refers to variables", "http://me:$PASSWORD@h/v1?api_key=${KEY}",
		"http://me:$PASSWORD@h/v1?api_key=${KEY}"),
	Entry("an address with a variable as a part of the password", "http://me:$PASSWORD.x@h/v1?api_key=a$KEY",
		"http://[redacted]@h/v1?api_key=[redacted]"),
	Entry("a command-line flag with an address as its value", "--base-url=http://u:p@h/v1",
		"--base-url=http://[redacted]@h/v1"),
	Entry("a text that is not an address", "route.accuracy{a=b} >= 0.9", "route.accuracy{a=b} >= 0.9"),
)

var _ = Describe("RedactJSON", func() {
	s := secret.NewSet(key, "")
	s.Add("12345678", "confidence")

	It("redacts secrets in strings with any escapes, and the result is valid JSON", func() {
		quoted, _ := json.Marshal(key)
		nested, _ := json.Marshal(`{"k":` + string(quoted) + `}`)
		text := `{"a":` + string(quoted) + `,"b":"\u0073k-a/b+c\"d\u003ce\u0026f==","c":` + string(nested) + `,"x ` +
			"12345678" + `":[12345678,"12345678"],"confidence":0.5}`
		got := string(s.RedactJSON([]byte(text)))
		Expect(got).To(MatchJSON(
			`{"a":"[redacted]","b":"[redacted]","c":"{\"k\":\"[redacted]\"}","x [redacted]":[12345678,"[redacted]"],"confidence":0.5}`))
	})

	It("does not change JSON without secrets", func() {
		text := `{"a":"b\n\"c","d":[1,null]}`
		Expect(string(s.RedactJSON([]byte(text)))).To(Equal(text))
		Expect(json.Marshal(s.MarshalRedacted(map[string]string{"a": "x 12345678"}))).
			To(MatchJSON(`{"a":"x [redacted]"}`))
	})
})

var _ = Describe("StreamRedactor", func() {
	s := secret.NewSet("abab1234abab", "")

	It("redacts a secret wherever the text is split", func() {
		const text = "ab abab1234ab abab1234abab1234abab. aabab1234abab"
		for size := 1; size < 9; size++ {
			stream := secret.StreamRedactor{Set: s}
			var shown strings.Builder
			for i := 0; i < len(text); i += size {
				shown.WriteString(stream.Write(text[i:min(len(text), i+size)]))
			}
			shown.WriteString(stream.Flush())
			Expect(shown.String()).To(Equal("ab abab1234ab [redacted]1234abab. a[redacted]"))
		}
	})

	It("returns text immediately unless it may be the start of a secret", func() {
		stream := secret.StreamRedactor{Set: s}
		Expect(stream.Write("hello ab")).To(Equal("hello "))
		Expect(stream.Write("out")).To(Equal("about"))
		Expect(stream.Write("abab1234abab")).To(Equal("[redacted]"))
		Expect(stream.Write("aba")).To(BeEmpty())
		Expect(stream.Flush()).To(Equal("aba"))
		Expect(stream.Write(`50% \`)).To(Equal("50% "), "an escape may follow")
		Expect(stream.Write("n ab%6")).To(Equal(`\n `))
		Expect(stream.Write("1b1234\\u006")).To(BeEmpty())
		Expect(stream.Write("1bab.")).To(Equal("[redacted]."))
	})
})

// FuzzMix redacts a key that is written with random escapes and split at a random position. No part
// of it may remain.
func FuzzMix(f *testing.F) {
	f.Add("q83vEjRWeJ/q83vEjRWeJ+rze8SNFZ4n==", []byte{0, 0, 0, 1, 2, 3, 4, 5, 6}, 3)
	f.Add(`%2525%25\\\"\u0041`, []byte{0, 1, 0, 3, 6}, 1)
	f.Fuzz(func(t *testing.T, key string, dice []byte, size int) {
		if len(key) < secret.MinLength || len(dice) == 0 || strings.Contains(key, "\n") {
			return
		}
		var spelt strings.Builder
		for i := range len(key) {
			spelt.WriteString(unit(key[i], dice[i%len(dice)]))
		}
		text, s := "\n"+spelt.String()+"\n", secret.NewSet(key, "")
		if got := s.Redact(text); got != "\n[redacted]\n" {
			t.Errorf("of %q as %q stays %q", key, text, got)
		}
		stream := secret.StreamRedactor{Set: s}
		cut := min(max(0, size), len(text))
		if got := stream.Write(text[:cut]) + stream.Write(text[cut:]) + stream.Flush(); got != "\n[redacted]\n" {
			t.Errorf("of %q as %q | %q stays %q", key, text[:cut], text[cut:], got)
		}
	})
}

// unit returns a character in the notation that die selects: plain, escaped for URLs, JSON or HTML,
// or in upper case.
func unit(c, die byte) string {
	switch die % 11 {
	case 1:
		return fmt.Sprintf("%%%02X", c)
	case 2:
		return fmt.Sprintf("%%%02x", c)
	case 3:
		return fmt.Sprintf(`\u%04X`, c)
	case 4:
		return fmt.Sprintf(`\\u%04x`, c)
	case 5:
		return fmt.Sprintf("%%25%02X", c)
	case 6:
		if strings.IndexByte(`/"\`, c) >= 0 {
			return `\` + string(rune(c))
		}
	case 7:
		if c < 0x80 {
			return strings.ToUpper(string([]byte{c}))
		}
	case 8:
		if c < 0x80 {
			return html.EscapeString(string([]byte{c}))
		}
	case 9, 10:
		if c > 0 && c < 0x80 {
			return fmt.Sprintf(map[byte]string{9: "&#%d;", 10: "&#x%02X;"}[die%11], c)
		}
	}
	return string([]byte{c})
}

func BenchmarkReplace(b *testing.B) {
	one := secret.NewSet("sk-0123456789abcdef0123456789", "")
	many := &secret.Set{}
	for i := range 20 {
		sum := sha256.Sum256([]byte{byte(i)})
		many.Add(base64.RawURLEncoding.EncodeToString(sum[:]))
	}
	row := `{"key":"0a/b/1","text":"what's the weather in \"Berlin\"?\n明天呢","usage":{"in":120,"out":14},"ms":[0.29,1.2e3],"at":"2026-01-02T15:04:05Z"},`
	for _, of := range []struct {
		name  string
		set   *secret.Set
		piece string
	}{{"prose", one, "a sentence such as services answer, 一句话。 "},
		{"prose/20 keys", many, "a sentence such as services answer, 一句话。 "}, {"row", one, row},
		{"row/20 keys", many, row},
		{"near", one, "sk-012345678%2"}, {"escapes", one, `\\\\\\\\%25%25%25`}} {
		text := strings.Repeat(of.piece, 1<<20/len(of.piece))
		b.Run(of.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_ = of.set.Redact(text)
			}
		})
	}
}

func FuzzStream(f *testing.F) {
	f.Add("0123456789", "x0123456789y", 3)
	f.Add("abababab", "abababababababab", 1)
	f.Fuzz(func(t *testing.T, key, text string, size int) {
		s := secret.NewSet(key, "")
		stream := secret.StreamRedactor{Set: s}
		var got strings.Builder
		for i := 0; i < len(text); {
			n := min(len(text)-i, max(1, size%64))
			got.WriteString(stream.Write(text[i : i+n]))
			i += n
		}
		got.WriteString(stream.Flush())
		if want := s.Redact(text); got.String() != want {
			t.Errorf("in pieces %q, whole %q", got.String(), want)
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Add("0123456789", `{"a":"\u0030123456789","b":[1,"x"]}`)
	f.Add(`"\"\"\"\"\"`, `"`)
	f.Fuzz(func(t *testing.T, key, text string) {
		s := secret.NewSet(key, "")
		got := s.RedactJSON([]byte(text))
		if json.Valid([]byte(text)) && !json.Valid(got) {
			t.Fatalf("%q became %q, which is not JSON", text, got)
		}
		_ = secret.RedactURL(text)
	})
}

var _ = It("15.8: StreamRedactor returns a complete line immediately, because no secret contains a line break", func() {
	s := &secret.Set{}
	s.Add("sk-test-51HxYz0123456789abcdefWXYZ", "0123456789abcdef0123456789abcdef")
	for port := 1000; port < 65536; port += 7 {
		stream := secret.StreamRedactor{Set: s}
		line := fmt.Sprintf("http://127.0.0.1:%d\n", port)
		Expect(stream.Write(line)).To(Equal(line))
	}
})
