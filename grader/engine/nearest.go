package engine

import "strings"

// nearest returns the candidate whose spelling is close enough to name to be what was meant, or "". Among equally near
// ones the first wins, so the caller's order decides.
func nearest(name string, candidates []string) string {
	best, least := "", min(1+len(name)/3, 3) // about one slip in three letters
	for _, c := range candidates {
		if c == name || c == "_" || c == "" {
			continue
		}
		d := distance(strings.ToLower(name), strings.ToLower(c), least)
		if d < least || (d == least && best == "" && len(name) > 2) {
			best, least = c, d
		}
	}
	return best
}

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b, up to limit+1.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			replace := row[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			next[j] = min(replace, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
