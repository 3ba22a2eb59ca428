<?php
// busy.php SECONDS: spends its time in known shares, and prints these.
function heavy($n) { $s = 0; for ($i = 1; $i < $n; $i++) $s += $i % 7 * $i; return $s; }
function middle($n) { $s = 0; for ($i = 1; $i < $n; $i++) $s += intdiv($i, 3); return $s; }
function light($n) { $s = 0; for ($i = 1; $i < $n; $i++) $s ^= $i; return $s; }

function now() {
    $used = getrusage();
    return $used['ru_utime.tv_sec'] + $used['ru_utime.tv_usec'] / 1e6;
}

function run($seconds) {
    $spent = ['heavy' => 0, 'middle' => 0, 'light' => 0];
    $end = now() + $seconds;
    while (now() < $end) {
        foreach (['heavy' => 2000000, 'middle' => 2000000, 'light' => 1000000] as $name => $n) {
            $from = now();
            $name($n);
            $spent[$name] += now() - $from;
        }
    }
    foreach ($spent as $name => $s)
        printf("%s %.3f\n", $name, 100 * $s / array_sum($spent));
}

run((float)$argv[1]);
