// Package analyze keeps tagged events and learns from them.
package analyze
