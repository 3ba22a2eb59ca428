;; Three functions whose shares of the time the host measures.
(module
  (func $heavy (export "heavy") (param $n i32) (result i32) (local $s i32)
    (loop $next
      (local.set $s
        (i32.add (local.get $s) (i32.rem_u (local.get $n) (i32.add (i32.const 7) (i32.rem_u (local.get $s) (i32.const 3))))))
      (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get $s))
  (func $light (export "light") (param $n i32) (result i32) (local $s i32)
    (loop $next
      (local.set $s (i32.xor (i32.mul (local.get $s) (i32.const 31)) (local.get $n)))
      (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get $s)))
