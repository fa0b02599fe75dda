package mocks_test

import (
	"context"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks"
	"evalctl/mocks/fault"
)

var _ = Describe("Config.OnFault", func() {
	It("is called for each triggered fault, and not for calls without one", func() {
		faults, err := fault.Parse("store:server_error@2+store:slow=1ms@2+store:reset@3", nil)
		Expect(err).NotTo(HaveOccurred())
		var mu sync.Mutex
		var output []string
		s, err := mocks.New(mocks.Config{Faults: faults,
			OnFault: func(_ context.Context, part string, kind fault.Kind) {
				mu.Lock()
				defer mu.Unlock()
				output = append(output, part+":"+string(kind))
			}})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.SimulateLocalCall(context.Background(), "store")).To(Succeed())
		Expect(output).To(BeEmpty())
		Expect(s.SimulateLocalCall(context.Background(), "store")).NotTo(Succeed())
		Expect(output).To(Equal([]string{"store:server_error", "store:slow"}))
		Expect(s.SimulateLocalCall(context.Background(), "critic")).To(Succeed())
		Expect(s.SimulateLocalCall(context.Background(), "store")).NotTo(Succeed())
		Expect(output).To(HaveLen(3))
	})
})
