package program

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// watcher is a Windows job object. Windows kills the processes of a job when its last handle is
// closed, which also happens when this process dies. The zero value is ready to use.
type watcher struct {
	mu    sync.Mutex
	begun bool
	job   windows.Handle // 0: no job
}

// begin creates the job at its first call. If the job cannot be created, programs run unwatched.
func (w *watcher) begin(string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begun {
		return
	}
	w.begun = true
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return
	}
	w.job = job
}

// add assigns a program to the job. Child processes that the program starts later also belong to
// the job.
func (w *watcher) add(pid int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.job == 0 {
		return
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return // the program has already ended
	}
	_ = windows.AssignProcessToJobObject(w.job, process) // on an error the program runs unwatched
	_ = windows.CloseHandle(process)
}

func (w *watcher) remove(int) {}

// end kills the processes that still belong to the job.
func (w *watcher) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.job != 0 {
		_ = windows.CloseHandle(w.job)
		w.job = 0
	}
}
