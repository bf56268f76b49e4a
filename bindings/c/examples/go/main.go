// Queries a robots.txt through cgo. Finalizers free the objects, and any goroutine may query a policy.
package main

/*
#cgo pkg-config: verger
#include <stdlib.h>
#include <verger/verger.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"unsafe"
)

// Policy holds the rules of one robots.txt for one crawler.
type Policy struct{ object *C.verger_policy }

// text returns the pointer and length of a string, which must stay alive during the call.
func text(s string) (*C.char, C.size_t) {
	if s == "" {
		return nil, 0
	}
	// A string starts with the pointer to its bytes. From Go 1.20 on, use unsafe.StringData.
	return *(**C.char)(unsafe.Pointer(&s)), C.size_t(len(s))
}

func failure(e *C.verger_error) error { return errors.New(C.GoString(&e.message[0])) }

// Parse reads a body for the crawler with a product token.
func Parse(body, agent string) (*Policy, error) {
	var e C.verger_error
	data, size := text(body)
	robots := C.verger_parse(data, size, C.VERGER_DIALECT_RFC9309, &e)
	if robots == nil {
		return nil, failure(&e)
	}
	defer C.verger_robots_free(robots)
	// C must not follow pointers into Go memory.
	name := C.CString(agent)
	defer C.free(unsafe.Pointer(name))
	names := C.verger_text{data: name, len: C.size_t(len(agent))}
	crawler := C.verger_crawler_new(&names, 1, C.VERGER_DIALECT_RFC9309, &e)
	if crawler == nil {
		return nil, failure(&e)
	}
	defer C.verger_crawler_free(crawler)
	policy := &Policy{C.verger_policy_new(robots, crawler, &e)}
	if policy.object == nil {
		return nil, failure(&e)
	}
	runtime.SetFinalizer(policy, func(p *Policy) { C.verger_policy_free(p.object) })
	return policy, nil
}

// Decide returns whether a URL may be fetched, and the deciding line.
func (p *Policy) Decide(url string) (allowed bool, line uint32, err error) {
	var e C.verger_error
	data, size := text(url)
	verdict := C.verger_policy_decide(p.object, data, size, &e)
	runtime.KeepAlive(p)
	runtime.KeepAlive(url)
	if verdict.status != C.VERGER_STATUS_OK {
		return false, 0, failure(&e)
	}
	return verdict.effect == C.VERGER_EFFECT_ALLOW, uint32(verdict.line), nil
}

func main() {
	policy, err := Parse("User-agent: *\nDisallow: /private/\nAllow: /private/press/\n", "ExampleBot")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	urls := []string{"/", "/private/x", "/private/press/1", "no URL"}
	answers := make([]string, len(urls))
	var all sync.WaitGroup
	for i, url := range urls {
		all.Add(1)
		go func(i int, url string) {
			defer all.Done()
			allowed, line, err := policy.Decide(url)
			answers[i] = fmt.Sprintln(url, allowed, line, err)
		}(i, url)
	}
	all.Wait()
	for _, answer := range answers {
		fmt.Print(answer)
	}
}
