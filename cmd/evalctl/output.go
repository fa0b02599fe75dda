package main
import ("io";"time";"github.com/spf13/cobra";"encoding/json";"evalctl/eval")
type output struct{}
func parseFormats([]string) ([]output, error) { return nil, nil }
func (s *session) report(w io.Writer, sum eval.Summary, took time.Duration, verbose bool) error {
 for _, su := range sum.Suites { for _, v := range su.Variants { m:=map[string]any{}; for _,k:=range []string{"route.accuracy","fallback.rate","fallback.correct","fallback.recovered","latency.p50","latency.p95","ttft.p50","missing.rate"} { e:=v.Metrics[k]; if e.Value!=nil { m[k]=*e.Value; m[k+".n"]=e.N } }; b,_:=json.Marshal(m); io.WriteString(w, v.Name+" "+v.Fault+" "+string(b)+"\n") } }
 io.WriteString(w, took.String()+"\n")
 return nil
}
func showCommand() *cobra.Command { return &cobra.Command{Use:"show"} }
