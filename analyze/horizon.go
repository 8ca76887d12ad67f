package analyze

import "math"

// bounds returns the 95 % interval of the time by which the share p of the
// recoveries has come: from the first to the last time at which the share that
// has is not significantly another (Brookmeyer and Crowley 1982). How much that
// share varies follows from the curvature of the likelihood at its top (Turnbull
// 1976), in which the masses are mass.
//
// With P the sum of the masses that an observation spans, H = Σ 1/P² over the
// observations, for each two points that it spans, is the information of the
// masses, and H·mass = n. The share G = F/R, of what has recovered by a time among
// what does at all, does not change with the scale of the masses, so that their
// constraint plays no part: its variance is aᵗH⁻¹a with its gradient a, which is
// (1−G)/R up to the time, −G/R behind it, and 0 beyond all.
func (t *turnbull) bounds(mass []float64, p float64) (low, high float64) {
	points, root := t.information(mass)
	c := t.curve(mass)
	all := 1.0
	if n := len(c.share); n > 0 {
		all = c.share[n-1]
	}
	low, high = math.NaN(), c.reaches(1)
	gradient := make([]float64, len(points))
	for i, at := range c.times {
		share := c.share[i] / all
		for k, j := range points {
			switch {
			case j == len(c.times):
				gradient[k] = 0
			case j <= i:
				gradient[k] = (1 - share) / all
			default:
				gradient[k] = -share / all
			}
		}
		doubt := z95 * math.Sqrt(root.halved(gradient))
		if math.IsNaN(low) && share+doubt >= p-1e-9 {
			low = at
		}
		if share-doubt >= p-1e-9 {
			return low, at
		}
	}
	return low, high
}

// nearly is the pull of the observations on a point, as a part of that on those
// that have mass, from which they hardly tell it from them: it has none, but may as
// well have some. Left out, the interval of a cell whose retries come at few times
// was that of the masses alone, a single point.
const nearly = 0.5

// information returns the points that have mass or nearly so, and the root of the
// information of their masses.
func (t *turnbull) information(mass []float64) (points []int, root triangle) {
	upTo := make([]float64, len(mass)+1)
	for i, m := range mass {
		upTo[i+1] = upTo[i] + m
	}
	// What each observation adds to every two points of its span is summed up
	// from its corners.
	width := len(mass) + 1
	sums := make([]float64, width*width)
	for i, s := range t.spans {
		total := upTo[s.high+1] - upTo[s.low]
		if total <= 0 {
			continue
		}
		v := t.counts[i] / (total * total)
		sums[s.low*width+s.low] += v
		sums[s.low*width+s.high+1] -= v
		sums[(s.high+1)*width+s.low] -= v
		sums[(s.high+1)*width+s.high+1] += v
	}
	for i := range width {
		for j := range width {
			if j > 0 {
				sums[i*width+j] += sums[i*width+j-1]
			}
		}
	}
	for i := 1; i < width; i++ {
		for j := range width {
			sums[i*width+j] += sums[(i-1)*width+j]
		}
	}
	for i := range mass {
		pull := 0.0
		for j, m := range mass {
			pull += sums[i*width+j] * m
		}
		if pull >= nearly*t.n {
			points = append(points, i)
		}
	}
	root = make(triangle, len(points))
	for i, at := range points {
		for _, to := range points[:i+1] {
			root[i] = append(root[i], sums[at*width+to])
		}
	}
	return points, root.cholesky()
}

// A triangle is a symmetric matrix, of which each row ends at the diagonal, or
// its root.
type triangle [][]float64

// alike is the part of a row that is not told by the rows before it below which
// it says nothing new: its point is never told from others.
const alike = 1e-9

// cholesky makes m the lower triangle whose product with its transpose is m. A
// row that those before it make up is left out: all of it is 0.
func (m triangle) cholesky() triangle {
	for i, row := range m {
		whole := row[i]
		for j := range i + 1 {
			sum := row[j]
			for k := range j {
				sum -= row[k] * m[j][k]
			}
			switch {
			case j < i && m[j][j] > 0:
				row[j] = sum / m[j][j]
			case j < i:
				row[j] = 0
			case sum > alike*whole:
				row[i] = math.Sqrt(sum)
			default:
				clear(row)
			}
		}
	}
	return m
}

// halved returns aᵗM⁻¹a, where root is that of M.
func (root triangle) halved(a []float64) (sum float64) {
	half := make([]float64, len(a))
	for i, row := range root {
		if row[i] == 0 {
			continue
		}
		v := a[i]
		for k := range i {
			v -= row[k] * half[k]
		}
		half[i] = v / row[i]
		sum += half[i] * half[i]
	}
	return sum
}
