package secret_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
)

var _ = DescribeTable("Mask redacts what has the shape of a secret, with any name", func(text, want string) {
	masked := secret.Mask(text)
	Expect(masked).To(Equal(want))
	Expect(secret.Mask(masked)).To(Equal(want), "twice is once")
},
	Entry(nil, `http://h/api?code=Qx71aab2Zk98MnbT&x=1`, `http://h/api?code=[redacted]&x=1`),
	Entry(nil, `http://h/api?sas=Qx71aab2&session=abcdefghij&hmac=abc`,
		`http://h/api?sas=[redacted]&session=[redacted]&hmac=[redacted]`),
	Entry(nil, `http://h/api?k=Qx71aab2&t=Qx71-aab2&user=hunter2x&st=2024-01-01T00:00:00Z`,
		`http://h/api?k=[redacted]&t=[redacted]&user=[redacted]&st=[redacted]`),
	Entry(nil, `http://h/api?model=gpt-4o&deployment=sk-abcdef1234567890`, `http://h/api?model=gpt-4o&deployment=[redacted]`),
	Entry(nil, `http://h/QUERYKEYabc12345/v1`, `http://h/[redacted]/v1`),
	Entry(nil, `https://hooks.h/services/T0AB12CD3/B0AB12CD3/a1B2c3D4e5F6g7H8`,
		`https://hooks.h/services/T0AB12CD3/B0AB12CD3/[redacted]`),
	Entry(nil, `http://h/v1#Qx71aab2Zk98MnbT`, `http://h/v1#[redacted]`),
	Entry(nil, `http://h/v1#state=some-long-value`, `http://h/v1#[redacted]`),
	Entry(nil, `http://h/v1?Qx71aab2Zk98MnbT`, `http://h/v1?[redacted]`),
	Entry(nil, `http://a/v1?x=1,http://b/v1?y=Qx71aab2`, `http://a/v1?x=1,http://b/v1?y=[redacted]`),
	Entry(nil, `see http://h/v1?y=Qx71aab2.`, `see http://h/v1?y=[redacted].`),
	Entry(nil, `env FOO=sk-INLINESECRETabcdef123456 python3 a.py`, `env FOO=[redacted] python3 a.py`),
	Entry(nil, `sh -c 'MY_VAR=hunter2hunter2 exec ./agent'`, `sh -c 'MY_VAR=[redacted] exec ./agent'`),
	Entry(nil, `["env","FOO=hunter2hunter2","./agent"]`, `["env","FOO=[redacted]","./agent"]`),
	Entry(nil, `./agent --use ghp_abcdefghij0123456789`, `./agent --use [redacted]`),
	Entry(nil, `./agent AKIAIOSFODNN7EXAMPLE xoxb-1234567890-abc`, `./agent [redacted] [redacted]`),
	Entry(nil, `{"x":"sk-proj-abcdefgh12345678"}`, `{"x":"[redacted]"}`),
)

var _ = DescribeTable("Mask does not change ordinary addresses and commands", func(text string) {
	Expect(secret.Mask(text)).To(Equal(text))
},
	Entry(nil, `http://127.0.0.1:8000/answer?threshold=0.5`),
	Entry(nil, `http://127.0.0.1:8000/v1beta/models/gpt-4o-mini-2024-07-18/chat?api-version=2024-02-15-preview&stream=true`),
	Entry(nil, `http://h/v1/deployments/claude-3-5-sonnet-20241022?model=text-embedding-3-small&lang=zh-CN&mode=streaming`),
	Entry(nil, `http://h/models/mistral7binstruct#usage`),
	Entry(nil, `http://h/v1?code=$CODE&user=${USER_NAME}&x={{options.session}}`),
	Entry(nil, `python3 /tmp/run3762729881/agent.py --model gpt-4o-mini-2024-07-18 --threshold=0.5`),
	Entry(nil, `env PORT=8000 MODEL=claude-3-5-sonnet-20241022 PYTHONPATH=/tmp/run3762729881 LANG=en_US.UTF-8 ./agent`),
	Entry(nil, `env URL=http://127.0.0.1:8000/answer VERSION=1.2.3-rc1 OUT=./run3762729881 TIME=20241129T150145Z ./agent`),
	Entry(nil, `env CONFIG=configs/run3762729881.yaml python3 a.py --labels=run3762729881.json http://h/run3762729881.json`),
	Entry(nil, `pip install sk-learn-pipelines-extra && task-abcdefgh12345678`),
	Entry(nil, `route.accuracy{variant=llm, fault=none} >= 90%`),
)

var _ = It("a set contains the parts of addresses and commands that have the shape of a secret", func() {
	var set secret.Set
	set.AddFromText(`env FOO=hunter2hunter2 ./agent http://h/QUERYKEYabc12345/v1?k=Qx71aab2Zk98MnbT&lang=something`)
	Expect(set.Redact("hunter2hunter2 QUERYKEYabc12345 Qx71aab2Zk98MnbT something")).
		To(Equal("[redacted] [redacted] [redacted] something"))
})
