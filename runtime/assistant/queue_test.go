package assistant_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/database"
	"fieldbook/runtime/shop"
)

func TestEnqueue(t *testing.T) {
	s := openShop(t)
	work := s.enqueue("morning:brief")
	if work.Status != shop.Ready || work.Generation != 0 || work.Owner != "" || work.Created != s.db.Now() || len(work.ID) != 32 || work.Role != shop.Schedule {
		t.Errorf("stored work: %+v", work)
	}
	if again := s.enqueue("morning:brief"); again != work {
		t.Errorf("asked again: %+v, want %+v", again, work)
	}
	s.claim("worker-1")
	if again := s.enqueue("morning:brief"); again.ID != work.ID || again.Status != shop.Running || again.Owner != "worker-1" || again.Expires != s.db.Now()+90 {
		t.Errorf("asked again while it runs: %+v", again)
	}
	if other := s.enqueue("noon:brief"); other.ID == work.ID {
		t.Error("two pieces of work have one id")
	}
}

func TestEnqueueOtherContent(t *testing.T) {
	s := openShop(t)
	s.enqueue("morning:brief")
	before := s.rows()
	for name, change := range map[string]func(*shop.Request){
		"session": func(r *shop.Request) { r.Session = "other" },
		"prompt":  func(r *shop.Request) { r.Prompt = "Something else" },
		"role":    func(r *shop.Request) { r.Role = shop.Operator },
	} {
		r := request("morning:brief")
		change(&r)
		work, err := assistant.Enqueue(s.ctx, s.db, r)
		if got := shop.Refusal(err); got != "origin_taken" || work != (shop.Work{}) {
			t.Errorf("another %s: %s, %+v", name, got, work)
		}
	}
	if !slices.Equal(s.rows(), before) {
		t.Error("a refused request changed rows")
	}
}

func TestEnqueueLimitsOfARequest(t *testing.T) {
	s := openShop(t)
	tests := []struct {
		name    string
		request shop.Request
		class   string
	}{
		{"longest", shop.Request{Origin: strings.Repeat("o", 250), Session: strings.Repeat("s", 200), Prompt: strings.Repeat("p", 16384), Role: shop.Customer}, "none"},
		{"longest in bytes of several", shop.Request{Origin: strings.Repeat("é", 125), Session: strings.Repeat("é", 100), Prompt: strings.Repeat("é", 8192), Role: shop.Operator}, "none"},
		{"no origin", shop.Request{Session: "s", Prompt: "p", Role: shop.Operator}, "request_limits"},
		{"origin too long", shop.Request{Origin: strings.Repeat("o", 251), Session: "s", Prompt: "p", Role: shop.Operator}, "request_limits"},
		{"origin too long in bytes", shop.Request{Origin: strings.Repeat("é", 126), Session: "s", Prompt: "p", Role: shop.Operator}, "request_limits"},
		{"no session", shop.Request{Origin: "o", Prompt: "p", Role: shop.Operator}, "request_limits"},
		{"session too long", shop.Request{Origin: "o", Session: strings.Repeat("s", 201), Prompt: "p", Role: shop.Operator}, "request_limits"},
		{"no prompt", shop.Request{Origin: "o", Session: "s", Role: shop.Operator}, "request_limits"},
		{"blank prompt", shop.Request{Origin: "o", Session: "s", Prompt: " \t\n\u00a0", Role: shop.Operator}, "request_limits"},
		{"prompt too long", shop.Request{Origin: "o", Session: "s", Prompt: strings.Repeat("p", 16385), Role: shop.Operator}, "request_limits"},
		{"no role", shop.Request{Origin: "o", Session: "s", Prompt: "p"}, "request_limits"},
		{"unknown role", shop.Request{Origin: "o", Session: "s", Prompt: "p", Role: "thief"}, "request_limits"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := s.text("SELECT count(*) FROM assistant_work")
			_, err := assistant.Enqueue(s.ctx, s.db, test.request)
			wantRefusal(t, err, test.class)
			if after := s.text("SELECT count(*) FROM assistant_work"); (after == before) != (test.class != "none") {
				t.Errorf("%s rows, were %s", after, before)
			}
		})
	}
}

func TestEnqueuePendingLimit(t *testing.T) {
	s := openShop(t)
	for i := range 20 {
		if work := s.enqueue(fmt.Sprint("work:", i)); work.Status != shop.Ready {
			t.Fatalf("work %d is %s", i, work.Status)
		}
	}
	s.claim("worker-1") // RUNNING counts as pending too
	if work := s.enqueue("one too many"); work.Status != shop.Rejected {
		t.Errorf("work 21 is %s, want REJECTED", work.Status)
	}
	s.exec("UPDATE assistant_work SET status = 'BLOCKED' WHERE status = 'RUNNING'")
	if work := s.enqueue("room again"); work.Status != shop.Ready {
		t.Errorf("with 19 pending: %s, want READY", work.Status)
	}
	if work := s.enqueue("one too many"); work.Status != shop.Rejected {
		t.Errorf("the rejected origin is answered with %s", work.Status)
	}
}

func TestEnqueueDailyLimit(t *testing.T) {
	s := openShop(t)
	for i := range 50 {
		if work := s.enqueue(fmt.Sprint("work:", i)); work.Status != shop.Ready {
			t.Fatalf("work %d is %s", i, work.Status)
		}
		s.exec("UPDATE assistant_work SET status = 'DONE'")
	}
	if work := s.enqueue("51st"); work.Status != shop.Rejected {
		t.Errorf("the 51st of a day is %s, want REJECTED", work.Status)
	}
	s.Clock().Advance(15*time.Hour + 59*time.Minute + 59*time.Second) // Monday 23:59:59 UTC
	if work := s.enqueue("last second"); work.Status != shop.Rejected {
		t.Errorf("in the last second of the day: %s, want REJECTED", work.Status)
	}
	s.Clock().Advance(time.Second)
	if work := s.enqueue("next day"); work.Status != shop.Ready {
		t.Errorf("on the next day: %s, want READY", work.Status)
	}
}

func TestClaim(t *testing.T) {
	s := openShop(t)
	if claim, err := assistant.Claim(s.ctx, s.db, "worker-1", shop.DefaultLease); claim != nil || err != nil {
		t.Errorf("from an empty queue: %v, %v", claim, err)
	}
	work := s.enqueue("morning:brief")
	claim := s.claim("worker-1")
	want := shop.Claim{
		ID: work.ID, Session: work.Session, Prompt: work.Prompt, Generation: 1, Owner: "worker-1", Epoch: s.epoch(), Role: work.Role,
	}
	if *claim != want {
		t.Errorf("claim %+v, want %+v", *claim, want)
	}
	s.wantText("RUNNING", "SELECT status FROM assistant_work")
	s.wantText("1", "SELECT generation FROM assistant_work")
	s.wantText("worker-1", "SELECT owner FROM assistant_work")
	s.wantText(fmt.Sprint(s.db.Now()+90), "SELECT expires FROM assistant_work")
	s.wantText(fmt.Sprintf("work_claimed %s generation 1, owner worker-1", work.ID), "SELECT kind || ' ' || subject || ' ' || detail FROM events")
	if claim, err := assistant.Claim(s.ctx, s.db, "worker-2", shop.DefaultLease); claim != nil || err != nil {
		t.Errorf("a second claim of running work: %v, %v", claim, err)
	}
}

func TestClaimLease(t *testing.T) {
	for _, test := range []struct {
		owner string
		lease time.Duration
		class string
	}{
		{"w", time.Second, "none"},
		{"w", 3600 * time.Second, "none"},
		{"", 90 * time.Second, "lease_limits"},
		{"w", 0, "lease_limits"},
		{"w", -time.Second, "lease_limits"},
		{"w", time.Second - 1, "lease_limits"},
		{"w", 1500 * time.Millisecond, "lease_limits"},
		{"w", 3601 * time.Second, "lease_limits"},
	} {
		s := openShop(t)
		s.enqueue("morning:brief")
		claim, err := assistant.Claim(s.ctx, s.db, test.owner, test.lease)
		wantRefusal(t, err, test.class)
		if (claim != nil) != (test.class == "none") {
			t.Errorf("owner %q, lease %s: claim %v", test.owner, test.lease, claim)
		}
		if claim != nil {
			s.wantText(fmt.Sprint(s.db.Now()+int64(test.lease/time.Second)), "SELECT expires FROM assistant_work")
		}
	}
}

func TestClaimOfExpiredWork(t *testing.T) {
	s := openShop(t)
	s.enqueue("morning:brief")
	first := s.claim("worker-1")
	s.Clock().Advance(89 * time.Second)
	if claim, err := assistant.Claim(s.ctx, s.db, "worker-2", shop.DefaultLease); claim != nil || err != nil {
		t.Errorf("one second early: %v, %v", claim, err)
	}
	if err := assistant.AssertCurrent(s.ctx, s.db, first); err != nil {
		t.Errorf("with one second left: %v", err)
	}
	s.Clock().Advance(time.Second)
	wantRefusal(t, assistant.AssertCurrent(s.ctx, s.db, first), "lease_lost")
	second := s.claim("worker-2")
	if second.Generation != 2 {
		t.Errorf("generation %d, want 2", second.Generation)
	}
	wantRefusal(t, assistant.Finish(s.ctx, s.db, first, shop.Done, "late"), "lease_lost")
	if err := assistant.Finish(s.ctx, s.db, second, shop.Done, "done"); err != nil {
		t.Fatal(err)
	}
	s.wantText("done", "SELECT result FROM assistant_work")
	if got, want := s.events(), []string{"work_claimed", "work_claimed", "work_finished"}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
}

func TestClaimOrder(t *testing.T) {
	s := openShop(t)
	insert := func(origin string, created, control, after int64) {
		s.exec(`INSERT INTO assistant_work (id, origin, session, prompt, status, created, control, available_after, role)
			VALUES (?1, ?1, ?1, 'p', 'READY', ?2, ?3, ?4, 'operator')`, origin, created, control, after)
	}
	now := s.db.Now()
	insert("second in row order", now-10, 0, 0)
	insert("third in row order", now-10, 0, 0)
	insert("oldest", now-20, 0, 0)
	insert("control", now, 1, 0)
	insert("now available", now-5, 0, now)
	insert("not yet available", now-90, 1, now+1)
	for _, want := range []string{"control", "oldest", "second in row order", "third in row order", "now available"} {
		if got := s.claim("w").ID; got != want {
			t.Errorf("claimed %q, want %q", got, want)
		}
	}
	if claim, err := assistant.Claim(s.ctx, s.db, "w", shop.DefaultLease); claim != nil || err != nil {
		t.Errorf("claimed %v (%v) before its time", claim, err)
	}
	s.Clock().Advance(time.Second)
	if got := s.claim("w").ID; got != "not yet available" {
		t.Errorf("claimed %q", got)
	}
}

func TestClaimOnePerSession(t *testing.T) {
	s := openShop(t)
	for _, origin := range []string{"a", "b"} {
		r := request(origin)
		r.Session = "lucy"
		if _, err := assistant.Enqueue(s.ctx, s.db, r); err != nil {
			t.Fatal(err)
		}
	}
	first := s.claim("worker-1")
	if claim, err := assistant.Claim(s.ctx, s.db, "worker-2", shop.DefaultLease); claim != nil || err != nil {
		t.Errorf("a second claim in a session: %v, %v", claim, err)
	}
	s.enqueue("another session")
	if claim := s.claim("worker-2"); claim.Session != "another session" {
		t.Errorf("claimed in session %s", claim.Session)
	}
	if err := assistant.Finish(s.ctx, s.db, first, shop.Blocked, "waits for Lucy"); err != nil {
		t.Fatal(err)
	}
	if claim := s.claim("worker-3"); claim.Session != "lucy" || claim.ID == first.ID {
		t.Errorf("claimed %+v", claim)
	}
}

func TestClaimInAPausedShop(t *testing.T) {
	s := openShop(t)
	s.enqueue("morning:brief")
	s.exec("UPDATE assistant_control SET paused = 1")
	before := s.rows()
	if claim, err := assistant.Claim(s.ctx, s.db, "worker-1", shop.DefaultLease); claim != nil || err != nil {
		t.Errorf("claim %v, %v", claim, err)
	}
	if !slices.Equal(s.rows(), before) {
		t.Error("rows have changed")
	}
}

func TestTwoWorkersShareNoWork(t *testing.T) {
	s := openShop(t)
	const pieces = 12
	for i := range pieces {
		s.enqueue(fmt.Sprint("work:", i))
	}
	claimed := make(chan string, pieces)
	failed := make(chan error, 2)
	handles := []*database.Database{s.open(), s.open()}
	for i, db := range handles {
		go func() {
			for {
				claim, err := assistant.Claim(s.ctx, db, fmt.Sprint("worker-", i), shop.DefaultLease)
				if err != nil || claim == nil {
					failed <- err
					return
				}
				claimed <- claim.ID
			}
		}()
	}
	for range handles {
		if err := <-failed; err != nil {
			t.Fatal(err)
		}
	}
	close(claimed)
	seen := map[string]bool{}
	for id := range claimed {
		if seen[id] {
			t.Errorf("%s was claimed twice", id)
		}
		seen[id] = true
	}
	if len(seen) != pieces {
		t.Errorf("%d pieces were claimed, want %d", len(seen), pieces)
	}
}

func TestAssertCurrentFences(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(s *testShop, claim *shop.Claim)
		class string
	}{
		"nothing changed":    {func(*testShop, *shop.Claim) {}, "none"},
		"no marker":          {func(s *testShop, _ *shop.Claim) { remove(s.t, s.db.Marker()) }, "permission"},
		"an empty marker":    {func(s *testShop, _ *shop.Claim) { writeFile(s.t, s.db.Marker(), nil) }, "permission"},
		"a longer marker":    {func(s *testShop, _ *shop.Claim) { writeFile(s.t, s.db.Marker(), []byte(s.epoch()+"\n")) }, "permission"},
		"another marker":     {func(s *testShop, _ *shop.Claim) { writeFile(s.t, s.db.Marker(), []byte(strings.Repeat("0", 32))) }, "permission"},
		"paused":             {func(s *testShop, _ *shop.Claim) { s.exec("UPDATE assistant_control SET paused = 1") }, "permission"},
		"another epoch":      {func(_ *testShop, c *shop.Claim) { c.Epoch = strings.Repeat("0", 32) }, "permission"},
		"another work":       {func(_ *testShop, c *shop.Claim) { c.ID = "other" }, "lease_lost"},
		"another session":    {func(_ *testShop, c *shop.Claim) { c.Session = "other" }, "lease_lost"},
		"another prompt":     {func(_ *testShop, c *shop.Claim) { c.Prompt = "other" }, "lease_lost"},
		"another role":       {func(_ *testShop, c *shop.Claim) { c.Role = shop.Operator }, "lease_lost"},
		"an old generation":  {func(_ *testShop, c *shop.Claim) { c.Generation-- }, "lease_lost"},
		"a later generation": {func(_ *testShop, c *shop.Claim) { c.Generation++ }, "lease_lost"},
		"another owner":      {func(_ *testShop, c *shop.Claim) { c.Owner = "worker-2" }, "lease_lost"},
		"finished":           {func(s *testShop, _ *shop.Claim) { s.exec("UPDATE assistant_work SET status = 'DONE'") }, "lease_lost"},
		"expired":            {func(s *testShop, _ *shop.Claim) { s.Clock().Advance(90 * time.Second) }, "lease_lost"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openShop(t)
			s.enqueue("morning:brief")
			claim := s.claim("worker-1")
			test.spoil(s, claim)
			before := s.rows()
			wantRefusal(t, assistant.AssertCurrent(s.ctx, s.db, claim), test.class)
			if !slices.Equal(s.rows(), before) {
				t.Error("AssertCurrent has changed rows")
			}
			wantRefusal(t, assistant.Finish(s.ctx, s.db, claim, shop.Done, "done"), test.class)
			if slices.Equal(s.rows(), before) != (test.class != "none") {
				t.Error("Finish changed rows although it refused, or changed none although it did not")
			}
		})
	}
	s := openShop(t)
	wantRefusal(t, assistant.AssertCurrent(s.ctx, s.db, nil), "permission")
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func TestFinish(t *testing.T) {
	for _, status := range []shop.Status{shop.Done, shop.Blocked, shop.Canceled} {
		s := openShop(t)
		s.enqueue("morning:brief")
		claim := s.claim("worker-1")
		if err := assistant.Finish(s.ctx, s.db, claim, status, "seen to"); err != nil {
			t.Fatal(err)
		}
		s.wantText(string(status)+" 1 seen to", "SELECT status || ' ' || generation || ' ' || result FROM assistant_work WHERE owner IS NULL AND expires IS NULL")
		wantRefusal(t, assistant.Finish(s.ctx, s.db, claim, status, "again"), "lease_lost")
	}
	for _, status := range []shop.Status{shop.Ready, shop.Running, shop.Rejected, "", "done"} {
		s := openShop(t)
		s.enqueue("morning:brief")
		claim := s.claim("worker-1")
		wantRefusal(t, assistant.Finish(s.ctx, s.db, claim, status, ""), "not_final")
		s.wantText("RUNNING", "SELECT status FROM assistant_work")
	}
}

func TestResume(t *testing.T) {
	s := openShop(t)
	s.enqueue("morning:brief")
	opening := s.epoch()
	s.restore(s.backup("monday.sqlite"))
	for name, epoch := range map[string]string{"the opening epoch": opening, "none": "", "an unknown one": strings.Repeat("0", 32)} {
		if got := shop.Refusal(assistant.Resume(s.ctx, s.db, epoch)); got != "stale_epoch" {
			t.Errorf("resume naming %s: %s", name, got)
		}
	}
	s.wantText("1", "SELECT paused FROM assistant_control")
	if events := s.events(); len(events) != 0 {
		t.Errorf("events %v", events)
	}

	s.resume()
	s.wantText("0", "SELECT paused FROM assistant_control")
	s.wantText("shop_resumed "+s.epoch(), "SELECT kind || ' ' || subject FROM events")
	s.claim("worker-1")
	if claim, err := assistant.Claim(s.ctx, s.db, "worker-2", shop.DefaultLease); claim != nil || err != nil {
		t.Errorf("a second claim after the resume: %v, %v", claim, err)
	}

	remove(t, s.db.Marker())
	wantRefusal(t, assistant.Resume(s.ctx, s.db, s.epoch()), "stale_epoch")
}
