%% burn.erl: Erlang code for erl +JPperf true: burn:run(Milliseconds).
-module(burn).
-export([run/1, fib/1, tree/1, worker/2]).

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

tree(N) -> lists:foldl(fun(K, T) -> gb_trees:enter(K * 7919 rem 2003, K, T) end, gb_trees:empty(), lists:seq(1, N)).

worker(Parent, End) ->
    case erlang:monotonic_time(millisecond) > End of
        true -> Parent ! done;
        false -> fib(18), gb_trees:size(tree(500)), worker(Parent, End)
    end.

run(Ms) ->
    End = erlang:monotonic_time(millisecond) + Ms,
    Me = self(),
    [spawn(?MODULE, worker, [Me, End]) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ok.
