package secret_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
)

const literal = "argvSecret44Op9"

var _ = DescribeTable("15.8: Mask redacts the value that follows the name of a secret, such as api_key",
	func(text, want string) {
		masked := secret.Mask(text)
		Expect(masked).To(Equal(want))
		Expect(secret.Mask(masked)).To(Equal(want), "twice is once")
		var set secret.Set
		set.AddFromText(text)
		Expect(set.IsEmpty()).To(Equal(masked == text))
		if strings.Contains(text, literal) {
			Expect(set.Redact("it said " + literal)).To(Equal("it said [redacted]"))
		}
	},
	Entry(nil, `python3 a.py --api-key argvSecret44Op9 -v`, `python3 a.py --api-key [redacted] -v`),
	Entry(nil, `a --api-key=argvSecret44Op9 b`, `a --api-key=[redacted] b`),
	Entry(nil, `a -token 'argvSecret44Op9' b`, `a -token '[redacted]' b`),
	Entry(nil, `a --x-access-token "argvSecret44Op9"`, `a --x-access-token "[redacted]"`),
	Entry(nil, `api_key=argvSecret44Op9`, `api_key=[redacted]`),
	Entry(nil, `sh -c "OPENAI_API_KEY=argvSecret44Op9 ./agent"`, `sh -c "OPENAI_API_KEY=[redacted] ./agent"`),
	Entry(nil, `curl -H "Authorization: Bearer argvSecret44Op9" x`, `curl -H "Authorization: Bearer [redacted]" x`),
	Entry(nil, `npx server --secret argvSecret44Op9 + http://h/mcp?token=argvSecret44Op9&a=b`,
		`npx server --secret [redacted] + http://h/mcp?token=[redacted]&a=b`),
	Entry(nil, `["a.py","--api-key","argvSecret44Op9","--db-password=x;y12345678 z","v"]`,
		`["a.py","--api-key","[redacted]","--db-password=[redacted] z","v"]`),
	Entry(nil, `["a.py","--password=a,b;argvSecret44Op9","-v"]`, `["a.py","--password=[redacted]","-v"]`),
	Entry(nil, `{"t":{{text}},"api_key":"argvSecret44Op9"}`, `{"t":{{text}},"api_key":"[redacted]"}`),
	Entry(nil, `{"t":{{text}},"apiKey" : "arg\"vSecret44Op9","clientSecret":"argvSecret44Op9"}`,
		`{"t":{{text}},"apiKey" : "[redacted]","clientSecret":"[redacted]"}`),
	Entry(nil, `{"auth":{"type":"bearer","password":"hunter","value":"argvSecret44Op9"}}`,
		`{"auth":{"type":"bearer","password":"[redacted]","value":"[redacted]"}}`),
	Entry(nil, `{"api_keys":["argvSecret44Op9","$KEY"],"n":1}`, `{"api_keys":["[redacted]","$KEY"],"n":1}`),
	Entry(nil, `{"body":"{\"token\":\"argvSecret44Op9\",\"q\":\"x\"}"}`,
		`{"body":"{\"token\":\"[redacted]\",\"q\":\"x\"}"}`),
	Entry(nil, `{"form":"a=b&client_secret=argvSecret44Op9&c=d"}`, `{"form":"a=b&client_secret=[redacted]&c=d"}`),
	Entry(nil, `{"headers":[{"name":"X-Api-Key","value":"argvSecret44Op9"}]}`,
		`{"headers":[{"name":"X-Api-Key","value":"[redacted]"}]}`),
	Entry(nil, `{"pin_password":12345678}`, `{"pin_password":[redacted]}`),
	Entry(nil, `{"key":"argvSecret44Op9$KEY"}`, `{"key":"[redacted]"}`),
	Entry("$$ in the value is a plain dollar sign, so the value is redacted",
		`["a.py","--api-key","argv$$Secret44Op9"]`,
		`["a.py","--api-key","[redacted]"]`),
	Entry("an unclosed ${ in the value refers to no variable, so the value is redacted",
		`{"api_key":"${unclosedSecret9"}`,
		`{"api_key":"[redacted]"}`),
)

var _ = DescribeTable("15.8: Mask does not change a text that contains no secret value, only names and references to variables", func(text string) {
	Expect(secret.Mask(text)).To(Equal(text))
},
	Entry(nil, `python3 a.py --api-key $KEY --token=${TOKEN} --header "Authorization: Bearer $KEY"`),
	Entry(nil, `{"text":{{text}},"max_tokens":1000,"tokens":{"in":5000},"api_key":"$KEY","auth":"Bearer ${KEY}","token":"{{options.token}}"}`),
	Entry(nil, `--api-key-env DEEPSEEK_KEY --tokens-in-path /usage/in --token-limit 5000 --key-file keys.pem`),
	Entry(nil, `{"key":"lang","value":"zh-CN-2024"}`),
	Entry(nil, `{"prompt":"Answer key: refund. A monkey: animal. keyword=refund123 author=somebody99","public_key":"abc123","pass":true,"auth":null}`),
	Entry(nil, `python3 agent.py --verbose --use-token --model m1`),
	Entry(nil, `["sh","-c","echo $HOME"]`),
)
