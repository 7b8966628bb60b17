;; A session of a real client, dap-mode 0.7 (Debian's elpa-dap-mode): emacs --batch -l emacs_session.el SOFTGPU PROGRAM SOURCE.
;; It prints a line for each thing that has come about, and ends with status 0 where all have.
(setq user-emacs-directory (file-name-as-directory (make-temp-file "emacs" t))
      dap-breakpoints-file (expand-file-name "breakpoints" user-emacs-directory)
      lsp-session-file (expand-file-name "session" user-emacs-directory)
      dap-auto-configure-features nil
      vc-handled-backends nil)
(require 'cl-lib)
(require 'dap-mode)
(require 'dap-ui)

(defconst softgpu (nth 0 command-line-args-left))
(defconst program (nth 1 command-line-args-left))
(defconst source (nth 2 command-line-args-left))
(setq command-line-args-left nil)

(defun until (what condition)
  "Waits for what the server says, at most half a minute; tells WHAT or ends with status 1."
  (let ((end (+ (float-time) 30)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (accept-process-output nil 0.05))
    (let ((value (funcall condition)))
      (message "%s: %s" what (if value "yes" "nothing came"))
      (unless value (kill-emacs 1))
      value)))

(defun line-of (text)
  (with-current-buffer (find-file-noselect source)
    (goto-char (point-min))
    (search-forward text)
    (line-number-at-pos)))

(defvar stops nil "One for each `stopped'; the mode's own hook is for the first stop of a thread alone.")
(advice-add 'dap--select-thread-id :after (lambda (&rest _) (push t stops)))

(defun ask (session command arguments)
  (let (answer)
    (dap--send-message (dap--make-request command arguments) (lambda (m) (setq answer m)) session)
    (until command (lambda () (and answer (if (gethash "success" answer) answer (kill-emacs 1)))))
    (gethash "body" answer)))

(defun top-line (session)
  (gethash "line" (elt (gethash "stackFrames" (ask session "stackTrace"
                                                   (list :threadId (dap--debug-session-thread-id session)))) 0)))

(defun move (session command line)
  "Goes on by COMMAND, and is to stop on LINE."
  (let ((before (length stops)))
    (ask session command (list :threadId (dap--debug-session-thread-id session)))
    (until (concat command ": stops") (lambda () (> (length stops) before)))
    (let ((at (top-line session)))
      (message "line %d" at)
      (unless (or (not line) (= at line)) (kill-emacs 1))
      at)))

(dap-register-debug-provider "softgpu" (lambda (conf) (plist-put conf :dap-server-path (list softgpu "--debug"))))
(let ((line (line-of "out[threadIdx.x] = fibonacci")) session)
  (with-current-buffer (find-file-noselect source)
    (goto-char (point-min))
    (forward-line (1- line))
    (dap-breakpoint-add))
  (dap-debug (list :type "softgpu" :request "launch" :name "ten" :program program :args ["7"]))
  (until "stops at the breakpoint" (lambda () stops))
  (setq session (dap--cur-session))
  (unless (= (top-line session) line) (kill-emacs 1))
  (let ((inside (move session "stepIn" nil)))
    (when (= inside line) (kill-emacs 1)))
  (move session "stepOut" line)
  (move session "reverseContinue" line)
  (move session "stepBack" nil)
  (ask session "disconnect" nil)
  (until "the server has gone" (lambda () (not (process-live-p (dap--debug-session-proc session)))))
  (delete-directory user-emacs-directory t)
  (kill-emacs 0))
