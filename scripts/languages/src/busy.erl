%% busy SECONDS: arithmetic, lists, sorting.
-module(busy).
-export([main/1]).

heavy(0, S) -> S;
heavy(N, S) -> heavy(N - 1, (S * 31 + N) rem 1000003).

%% Deep recursion would make chains that the kernel cuts.
middle(0) -> done;
middle(N) -> lists:sort([I * 7919 rem 10007 || I <- lists:seq(N, N + 40)]), middle(N - 1).

light(0, S) -> S;
light(N, S) -> light(N - 1, (S bxor N) + 1).

run(End) ->
    case element(1, statistics(runtime)) < End of
        true -> heavy(300000, 1), middle(500), light(300000, 1), run(End);
        false -> done
    end.

main([T]) ->
    run(element(1, statistics(runtime)) + 1000 * list_to_integer(T)),
    init:stop().
