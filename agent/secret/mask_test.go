package secret_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
)

const literal = "argvSecret44Op9"

var _ = DescribeTable("15.8: a value beside the name of a secret is masked", func(text, want string) {
	masked := secret.Mask(text)
	Expect(masked).To(Equal(want))
	Expect(secret.Mask(masked)).To(Equal(want), "twice is once")
	var set secret.Set
	set.AddText(text)
	Expect(set.IsEmpty()).To(Equal(masked == text))
	if strings.Contains(text, literal) {
		Expect(set.Replace("it said " + literal)).To(Equal("it said [secret]"))
	}
},
	Entry(nil, `python3 a.py --api-key argvSecret44Op9 -v`, `python3 a.py --api-key [secret] -v`),
	Entry(nil, `a --api-key=argvSecret44Op9 b`, `a --api-key=[secret] b`),
	Entry(nil, `a -token 'argvSecret44Op9' b`, `a -token '[secret]' b`),
	Entry(nil, `a --x-access-token "argvSecret44Op9"`, `a --x-access-token "[secret]"`),
	Entry(nil, `api_key=argvSecret44Op9`, `api_key=[secret]`),
	Entry(nil, `sh -c "OPENAI_API_KEY=argvSecret44Op9 ./agent"`, `sh -c "OPENAI_API_KEY=[secret] ./agent"`),
	Entry(nil, `curl -H "Authorization: Bearer argvSecret44Op9" x`, `curl -H "Authorization: Bearer [secret]" x`),
	Entry(nil, `npx server --secret argvSecret44Op9 + http://h/mcp?token=argvSecret44Op9&a=b`, `npx server --secret [secret] + http://h/mcp?token=[secret]&a=b`),
	Entry(nil, `["a.py","--api-key","argvSecret44Op9","--db-password=x;y12345678 z","v"]`, `["a.py","--api-key","[secret]","--db-password=[secret] z","v"]`),
	Entry(nil, `["a.py","--password=a,b;argvSecret44Op9","-v"]`, `["a.py","--password=[secret]","-v"]`),
	Entry(nil, `{"t":{{text}},"api_key":"argvSecret44Op9"}`, `{"t":{{text}},"api_key":"[secret]"}`),
	Entry(nil, `{"t":{{text}},"apiKey" : "arg\"vSecret44Op9","clientSecret":"argvSecret44Op9"}`, `{"t":{{text}},"apiKey" : "[secret]","clientSecret":"[secret]"}`),
	Entry(nil, `{"auth":{"type":"bearer","password":"hunter","value":"argvSecret44Op9"}}`, `{"auth":{"type":"bearer","password":"[secret]","value":"[secret]"}}`),
	Entry(nil, `{"api_keys":["argvSecret44Op9","$KEY"],"n":1}`, `{"api_keys":["[secret]","$KEY"],"n":1}`),
	Entry(nil, `{"body":"{\"token\":\"argvSecret44Op9\",\"q\":\"x\"}"}`, `{"body":"{\"token\":\"[secret]\",\"q\":\"x\"}"}`),
	Entry(nil, `{"form":"a=b&client_secret=argvSecret44Op9&c=d"}`, `{"form":"a=b&client_secret=[secret]&c=d"}`),
	Entry(nil, `{"headers":[{"name":"X-Api-Key","value":"argvSecret44Op9"}]}`, `{"headers":[{"name":"X-Api-Key","value":"[secret]"}]}`),
	Entry(nil, `{"pin_password":12345678}`, `{"pin_password":[secret]}`),
	Entry(nil, `{"key":"argvSecret44Op9$KEY"}`, `{"key":"[secret]"}`),
	Entry("$$ is a literal $", `["a.py","--api-key","argv$$Secret44Op9"]`, `["a.py","--api-key","[secret]"]`),
	Entry("an open brace is literal", `{"api_key":"${unclosedSecret9"}`, `{"api_key":"[secret]"}`),
)

var _ = DescribeTable("15.8: what is no literal secret is shown", func(text string) {
	Expect(secret.Mask(text)).To(Equal(text))
},
	Entry(nil, `python3 a.py --api-key $KEY --token=${TOKEN} --header "Authorization: Bearer $KEY"`),
	Entry(nil, `{"text":{{text}},"max_tokens":1000,"tokens":{"in":5000},"api_key":"$KEY","auth":"Bearer ${KEY}","token":"{{options.token}}"}`),
	Entry(nil, `--api-key-env DEEPSEEK_KEY --tokens-in-at /usage/in --token-limit 5000 --key-file keys.pem`),
	Entry(nil, `{"key":"lang","value":"zh-CN-2024"}`),
	Entry(nil, `{"prompt":"Answer key: refund. A monkey: animal. keyword=refund123 author=somebody99","public_key":"abc123","pass":true,"auth":null}`),
	Entry(nil, `python3 agent.py --verbose --use-token --model m1`),
	Entry(nil, `["sh","-c","echo $HOME"]`),
)
