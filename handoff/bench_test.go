package handoff_test

import (
	"strings"
	"testing"

	"fieldbook/handoff"
)

// typicalRecord has an implementation of 300 lines and a result of 100 rows.
func typicalRecord() handoff.Record {
	r := vectorRecord()
	r.Implementation[1].Text = strings.Repeat("\tif err := check(ctx, image); err != nil {\n", 300)
	r.Result = []byte(`{"rows":[` + strings.TrimSuffix(strings.Repeat(`[{"kind":"int","text":"1"},{"kind":"string","text":"READY"}],`, 100), ",") + `]}`)
	return r
}

func BenchmarkRead(b *testing.B) {
	for name, r := range map[string]handoff.Record{"vector": vectorRecord(), "typical": typicalRecord()} {
		b.Run(name, func(b *testing.B) {
			data := mustSign(b, r, vectorKey())
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := handoff.Read(data); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "handoffs/s")
		})
	}
}

func BenchmarkSign(b *testing.B) {
	r, key := typicalRecord(), vectorKey()
	for b.Loop() {
		if _, err := handoff.Sign(r, key); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "handoffs/s")
}
