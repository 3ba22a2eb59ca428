-- busy.lua SECONDS: spends its time in known shares, and prints these.
local function heavy(n) local s = 0; for i = 1, n do s = s + i % 7 * i end; return s end
local function middle(n) local t = {}; for i = 1, n do t[i] = tostring(i) end; return #table.concat(t) end
local function light(n) local s = 0; for i = 1, n do s = s + i end; return s end

local parts = { { "heavy", heavy, 400000 }, { "middle", middle, 5000 }, { "light", light, 400000 } }
local spent, all = {}, 0
while os.clock() < tonumber(arg[1]) do
	for _, part in ipairs(parts) do
		local from = os.clock()
		part[2](part[3])
		spent[part[1]] = (spent[part[1]] or 0) + os.clock() - from
		all = all + os.clock() - from
	end
end
for name, seconds in pairs(spent) do print(name, 100 * seconds / all) end
